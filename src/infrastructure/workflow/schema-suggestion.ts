import type { ErrorObject } from 'ajv/dist/2020.js';
import { closest } from '../../domain/closest.js';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.js';
import type { YamlValue } from './yaml-value.js';

/** The word that was probably meant, where only some words are allowed. */
export function suggestChoice(error: ErrorObject): string | undefined {
  if (typeof error.data !== 'string' || error.data === '') return undefined;
  const branches =
    error.keyword === 'anyOf' ? (error.schema as readonly Json[]) : [error.parentSchema as Json];
  const words = branches.flatMap(choicesOf).filter((choice) => typeof choice === 'string');
  const match = closest(error.data, words);
  return match === undefined ? undefined : `did you mean \`${match}\`?`;
}

function choicesOf(schema: Json): readonly Json[] {
  if (!isJsonObject(schema)) return [];
  const list = Array.isArray(schema.enum) ? (schema.enum as readonly Json[]) : [];
  return schema.const === undefined ? list : [...list, schema.const];
}

/** How to write what was probably meant, where the value is of another type. */
export function suggestForm(error: ErrorObject, value: YamlValue): string | undefined {
  const { data } = error;
  if (data === null) return value.pointer === '' ? undefined : 'leave the key out, or give it a value';
  if (typeof data === 'string' && takesList(error)) {
    return `write it as a list: [${JSON.stringify(data).slice(0, 60)}]`;
  }
  if (isJsonObject(data)) return suggestForMapping(error, data);
  if ((typeof data === 'number' || typeof data === 'boolean') && takesText(error)) {
    return `put it in quotes if you meant the text: "${value.written() ?? String(data)}"`;
  }
  return undefined;
}

/** Other formats name things by their keys, or describe them where they are used. */
function suggestForMapping(error: ErrorObject, data: JsonObject): string | undefined {
  const [name = 'x', first] = Object.entries(data)[0] ?? [];
  if (takesList(error) && isJsonObject(first)) return `write it as a list: - name: ${name.slice(0, 60)}`;
  const isNamed = takesText(error) && typeof data.name === 'string';
  return isNamed ? `write only its name here: ${String(data.name).slice(0, 60)}` : undefined;
}

function takesList({ keyword, params, schema }: ErrorObject): boolean {
  if (keyword === 'type') return [params.type].flat().includes('array');
  const branches = keyword === 'anyOf' ? (schema as readonly { readonly $ref?: string }[]) : [];
  return branches.some(({ $ref }) => $ref === '#/definitions/texts');
}

/** A name or a path may look like a number; a choice or a duration that is one was not meant as a text. */
function takesText({ keyword, params }: ErrorObject): boolean {
  return keyword === 'type' && [params.type].flat().includes('string');
}
