import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '../../domain/json.js';
import { tooMuchEffort } from './schema-effort.js';
import { isTame } from './tame-pattern.js';

const MAX_LENGTH = 131_072;

/** Keys under which names are anybody's own, and no words of the language. */
const NAMES = new Set(['properties', '$defs', 'definitions', 'dependentSchemas', 'dependencies']);
/** Keys under which there are values, and no schemas. */
const VALUES = new Set(['const', 'enum', 'default', 'examples']);

/**
 * A schema that a stranger wrote, as ours to check by: what no value can make slow. Patterns that could are left out,
 * since the server checks them itself; a schema that is too much as a whole is a problem, in words.
 */
export function strangerSchema(schema: JsonObject): {
  readonly schema: JsonSchema;
  readonly problem?: string;
} {
  if (JSON.stringify(schema).length > MAX_LENGTH) {
    return { schema: {}, problem: `is longer than ${MAX_LENGTH} characters` };
  }
  const problem = tooMuchEffort(schema);
  return problem === undefined ? { schema: tamed(schema) as JsonSchema } : { schema: {}, problem };
}

function tamed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(tamed);
  if (!isJsonObject(schema)) return schema;
  const kept = Object.entries(schema).filter((entry) => !isWild(entry));
  const hasLost =
    Object.hasOwn(schema, 'patternProperties') && !kept.some(([key]) => key === 'patternProperties');
  return Object.fromEntries(
    kept
      // What a pattern that was left out would have let through must not be turned away for it.
      .filter(([key]) => !(hasLost && /^(?:additional|unevaluated)Properties$/.test(key)))
      .map(([key, value]) => [key, tamedUnder(key, value)]),
  );
}

function tamedUnder(key: string, value: Json): Json {
  if (VALUES.has(key)) return value;
  if (!NAMES.has(key) && key !== 'patternProperties') return tamed(value);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, tamed(inner)]));
}

function isWild([key, value]: readonly [string, Json]): boolean {
  if (key === 'pattern') return typeof value === 'string' && !isTame(value);
  return key === 'patternProperties' && isJsonObject(value) && !Object.keys(value).every(isTame);
}
