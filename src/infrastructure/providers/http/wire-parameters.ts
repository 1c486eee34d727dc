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
  const described = [...CHOICES.flatMap((key) => listOf(own[key])), own].flatMap(propertiesOf);
  return { ...Object.fromEntries(kept), properties: Object.fromEntries(described) };
}

function propertiesOf(schema: Json): readonly (readonly [string, Json])[] {
  return isJsonObject(schema) && isJsonObject(schema.properties) ? Object.entries(schema.properties) : [];
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
