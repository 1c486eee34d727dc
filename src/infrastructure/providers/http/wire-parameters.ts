import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '../../../domain/json.js';

const CHOICES = ['anyOf', 'oneOf', 'allOf'] as const;
/** What OpenAI and Anthropic refuse at the top of a tool's schema, and only there. */
const REFUSED: ReadonlySet<string> = new Set([...CHOICES, 'not', 'enum', 'const', 'if', 'then', 'else']);

/**
 * A tool's parameters in a form that these APIs take: without choices at the top, whose properties are all described
 * instead. The model is told a little less; the gate checks every call against the schema itself, and says what is wrong.
 */
export function wireParameters(schema: JsonSchema): JsonObject {
  const own = schema as JsonObject;
  if (!Object.keys(own).some((key) => REFUSED.has(key))) return own;
  const kept = Object.entries(own).filter(([key]) => !REFUSED.has(key));
  const described = [...CHOICES.flatMap((key) => listOf(own[key])), own].flatMap((one) =>
    propertiesOf(one, own),
  );
  return { ...Object.fromEntries(kept), properties: Object.fromEntries(described) };
}

function propertiesOf(schema: Json, root: JsonObject): readonly (readonly [string, Json])[] {
  if (!isJsonObject(schema)) return [];
  const named = [definitionOf(schema, root), schema].flatMap((one) => one?.properties ?? []);
  return named.filter(isJsonObject).flatMap((properties) => Object.entries(properties));
}

/** What a choice is called by, where that is one of the schema's own definitions. */
function definitionOf({ $ref }: JsonObject, root: JsonObject): JsonObject | undefined {
  const [, key = '', name = ''] = /^#\/(\$defs|definitions)\/([^/~%]+)$/.exec(String($ref)) ?? [];
  const definitions = root[key];
  const found = isJsonObject(definitions) && Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  return isJsonObject(found) ? found : undefined;
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
