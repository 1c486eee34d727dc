import type { FormatDeclaration, JsonBody, TagBody } from '../formats/declaration.js';
import { Template } from '../scan/template.js';
import type { Json, JsonObject } from '../types.js';

export interface WrittenCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** Writes a call as a model would in this format. */
export function writeCall(format: FormatDeclaration, call: WrittenCall): string {
  const { body } = format;
  return body.kind === 'json' ? writeJson(format, body, call) : writeTags(format, body, call);
}

/** Several marks may open a call; the one to teach names the tool and needs no id. */
export function teachingMark(format: FormatDeclaration): Template {
  const opens = (Array.isArray(format.open) ? format.open : [format.open]) as readonly string[];
  const marks = opens.map((mark) => new Template(mark));
  const named = marks.find((mark) => mark.has('name') && !mark.has('id'));
  return named ?? marks[0] ?? new Template('');
}

function writeJson(format: FormatDeclaration, body: JsonBody, call: WrittenCall): string {
  const mark = teachingMark(format);
  const close = format.close ?? '';
  const named = { [body.name ?? 'name']: call.name, [body.arguments ?? 'arguments']: call.arguments };
  const json = hideMark(JSON.stringify(mark.has('name') ? call.arguments : named), close);
  const gap = mark.has('name') || close === '' ? '' : '\n';
  return `${writeMark(mark, { name: call.name, word: 'json' })}${gap}${json}${gap}${close}`;
}

/** Blanks in a mark say where some may stand; written, they are only kept where words would run together. */
function writeMark(mark: Template, filled: { readonly name: string; readonly word: string }): string {
  return mark.fill(filled).replace(/(?<=[\]>]) | (?=[[<])/g, '');
}

function writeTags(format: FormatDeclaration, body: TagBody, call: WrittenCall): string {
  const open = new Template(body.parameter.open);
  const close = new Template(body.parameter.close);
  const parameters = Object.entries(call.arguments).map(
    ([key, value]) => `${open.fill({ key })}${writeValue(value)}${close.fill({ key })}`,
  );
  const mark = writeMark(teachingMark(format), { name: call.name, word: '' });
  const written = [mark, ...parameters, new Template(format.close ?? '').fill({})];
  if (!format.wrapper) return written.join('\n');
  const { wrapper } = format;
  return [new Template(wrapper.open).fill({}), ...written, new Template(wrapper.close).fill({})].join('\n');
}

function writeValue(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A mark inside JSON is written with an escape, so that no reader takes it for the real one. */
export function hideMark(json: string, mark: string): string {
  if (mark === '') return json;
  const code = mark.charCodeAt(0).toString(16).padStart(4, '0');
  return json.replaceAll(mark, `\\u${code}${mark.slice(1)}`);
}
