import { Ajv2020 } from 'ajv/dist/2020.js';
import { messageOf } from '../../domain/errors.js';
import { isJsonObject, type Json, type JsonSchema } from '../../domain/json.js';
import { compilePattern } from './match-pattern.js';
import { YamlValue } from './yaml-value.js';

/** Reports a JSON Schema in the file that cannot be one: it must compile now, not when a call arrives. */
export function checkJsonSchema(schema: YamlValue): void {
  if (!isJsonObject(schema.raw)) return;
  const problem = problemOf(schema.raw);
  if (!problem) return;
  const place = new YamlValue(undefined, schema.pointer + problem.pointer, schema.origin);
  place.report({
    code: 'WORKFLOW.TOOL.INVALID',
    message: `${place.path}: not a valid JSON Schema: ${problem.message.slice(0, 200)}`,
  });
}

/** Whether a value fits; a schema that is none has been reported, and nothing fits it. */
export function fitsJsonSchema(schema: JsonSchema, value: Json): boolean {
  if (problemOf(schema)) return false;
  shared ??= createAjv();
  const { $schema: _draft, ...plain } = schema;
  try {
    return shared.compile(plain)(value) === true;
  } finally {
    shared.removeSchema(plain);
  }
}

// Made once, since it compiles the meta-schema; it keeps none of the schemas it sees, and so no `$id` of theirs.
let shared: Ajv2020 | undefined;

function problemOf(schema: JsonSchema): { readonly pointer: string; readonly message: string } | undefined {
  shared ??= createAjv();
  // Other drafts are read as this one: the parts that tools use mean the same in all of them.
  const { $schema: _draft, ...plain } = schema;
  try {
    if (shared.validateSchema(plain) !== true) {
      const error = shared.errors?.[0];
      const allowed = [error?.params.allowedValues ?? []].flat().join(', ');
      const message = `${error?.message ?? 'it is no schema'}${allowed === '' ? '' : `: ${allowed}`}`;
      return { pointer: error?.instancePath ?? '', message };
    }
    shared.compile(plain);
    return undefined;
  } catch (error) {
    return { pointer: '', message: messageOf(error) };
  } finally {
    shared.removeSchema(plain);
  }
}

function createAjv(): Ajv2020 {
  const regExp = Object.assign((source: string) => compilePattern(source), { code: 'compilePattern' });
  return new Ajv2020({
    strict: false,
    validateFormats: false,
    logger: false,
    addUsedSchema: false,
    code: { regExp },
  });
}
