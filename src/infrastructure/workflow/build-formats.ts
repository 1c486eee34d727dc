import { isJsonObject, type JsonObject } from '../../domain/json.js';
import type { TextFormat } from '../../domain/workflow.js';
import { checkFormat } from '../../pkg/toolparse/check-format.js';
import type { FormatDeclaration } from '../../pkg/toolparse/formats/declaration.js';
import { listFormats } from '../../pkg/toolparse/list-formats.js';
import { fitsDefinition } from './check-schema.js';
import type { YamlValue } from './yaml-value.js';

/** The file's own formats, each tried on its example, so that a format in hand is one that works. */
export function buildFormats(formats: YamlValue): readonly TextFormat[] | undefined {
  if (!formats.isPresent) return undefined;
  return formats.entries().flatMap(([id, value]) => {
    // What has not even the shape of a format has been reported by the schema.
    if (!isJsonObject(value.raw) || !fitsDefinition('format', value.raw)) return [];
    const format = toDeclaration(id, value.raw);
    reportBuiltin(id, value);
    reportMistakes(format, value);
    return [format];
  });
}

function toDeclaration(id: string, { declared_only: declaredOnly, ...rest }: JsonObject): TextFormat {
  return { id, ...rest, ...(declaredOnly === undefined ? {} : { declaredOnly }) };
}

function reportBuiltin(id: string, value: YamlValue): void {
  if (id !== 'auto' && !listFormats().some((known) => known.id === id)) return;
  const message = `${value.path}: there is a built-in format \`${id}\` already; choose another name`;
  value.report({ code: 'WORKFLOW.VALIDATION.DUPLICATE', message }, 'key');
}

function reportMistakes(format: TextFormat, value: YamlValue): void {
  for (const { at, message } of checkFormat(format as unknown as FormatDeclaration)) {
    if (at[0] === 'id') continue;
    const place = at.reduce((part, key) => (part.get(key).isPresent ? part.get(key) : part), value);
    const part = place === value ? 'key' : 'value';
    place.report({ code: 'WORKFLOW.FORMAT.INVALID', message: `${place.path}: ${message}` }, part);
  }
}
