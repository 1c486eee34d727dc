import { type FormatDeclaration, type JsonBody, listMarks } from '../formats/declaration.js';
import { Template } from '../scan/template.js';
import type { JsonObject } from '../types.js';
import { writeCode, writeQuoted } from './write-code.js';
import { writeElement, writeTags, writeYaml } from './write-tags.js';

export interface WrittenCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** Writes a call as a model would in this format. */
export function writeCall(format: FormatDeclaration, call: WrittenCall): string {
  if (format.body.kind === 'element') return writeBody(format, call);
  const { open, close } = writtenMarks(format, call);
  const isTags = format.body.kind === 'tags';
  const isRaw = isTags || format.body.kind === 'quoted';
  // Raw text has no escapes: what it holds is told apart by what follows it.
  const body = isRaw ? writeBody(format, call) : hideMark(writeBody(format, call), close.trim());
  const gap = isTags && body !== '' ? '\n' : '';
  const written = `${open}${gap}${body}${isTags ? '\n' : ''}${close}`;
  const { wrapper } = format;
  if (!wrapper) return written;
  const line = isTags ? '\n' : '';
  const [first, last] = [wrapper.open, wrapper.close].map((mark) => fill(listMarks(mark)[0] ?? '', call));
  return `${first}${line}${written}${line}${last}`;
}

function writeBody(format: FormatDeclaration, call: WrittenCall): string {
  const { body } = format;
  switch (body.kind) {
    case 'json':
      return writeJson(format, body, call);
    case 'code':
      return writeCode(call);
    case 'quoted':
      return writeQuoted(call.arguments, body.quote);
    case 'yaml':
      return writeYaml(call);
    case 'tags':
      return writeTags(body, call);
    case 'element':
      return writeElement(body, call);
  }
  return body satisfies never;
}

/** Several marks may open a call; the one to teach names the tool and needs no id. */
function teachingMark(format: FormatDeclaration): Template {
  const marks = listMarks(format.open).map((mark) => new Template(mark));
  const named = marks.find((mark) => mark.has('name') && !mark.has('id'));
  return named ?? marks[0] ?? new Template('');
}

function writtenMarks(
  format: FormatDeclaration,
  call: WrittenCall,
): { readonly open: string; readonly close: string } {
  const { written } = format;
  if (written) return { open: fill(written.open, call), close: fill(written.close, call) };
  const open = writeMark(teachingMark(format), call);
  const close = fill(listMarks(format.close)[0] ?? '', call);
  const isNamed = teachingMark(format).has('name') || teachingMark(format).has('call');
  const gap = format.body.kind !== 'json' || isNamed || close === '' ? '' : '\n';
  return { open: open + gap, close: gap + close };
}

function fill(mark: string, { name }: WrittenCall): string {
  return new Template(mark).fill({ name, word: 'json', call: `functions.${name}:0` });
}

/** Blanks in a mark say where some may stand; written, they are only kept where words would run together. */
function writeMark(mark: Template, call: WrittenCall): string {
  return fill(mark.source, call).replace(/(?<=[\]>]) | (?=[[<])/g, '');
}

function writeJson(format: FormatDeclaration, body: JsonBody, call: WrittenCall): string {
  const mark = teachingMark(format);
  if (mark.has('name') || mark.has('call')) return JSON.stringify(call.arguments);
  const named = body.keyed
    ? { [call.name]: call.arguments }
    : { [body.name ?? 'name']: call.name, [body.arguments ?? 'arguments']: call.arguments };
  return JSON.stringify(body.array ? [named] : named);
}

/** A mark inside JSON is written with an escape, so that no reader takes it for the real one. */
export function hideMark(json: string, mark: string): string {
  if (mark.length < 3) return json;
  const code = mark.charCodeAt(0).toString(16).padStart(4, '0');
  return json.replaceAll(mark, `\\u${code}${mark.slice(1)}`);
}
