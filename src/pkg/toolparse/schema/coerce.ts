import { mendJson } from '../json/mend-json.js';
import { isObject, setOwn, tryParse } from '../json/own.js';
import type { Json, JsonObject } from '../types.js';
import { itemSchema, memberSchema, typesOf } from './schema-types.js';

/** A schema with the document that its references point into. */
export interface SchemaAt {
  readonly schema: JsonObject | undefined;
  readonly root: JsonObject;
}

export interface Coerced {
  readonly value: Json;
  /** Set when JSON inside the text had to be mended. */
  readonly fixes: readonly string[];
}

const MAX_DEPTH = 64;
const NO_FIXES: readonly string[] = [];

/**
 * Gives raw text the type that the schema asks for. A string stays exactly as written; text that does not fit its type
 * stays text too, for the validator to refuse. Where both a string and something else are allowed, text that reads as
 * the something else is that.
 */
export function coerceText(raw: string, at: SchemaAt): Coerced {
  const types = at.schema ? typesOf(at.schema, at.root) : new Set<string>();
  if (types.size === 0 || (types.size === 1 && types.has('string'))) return { value: raw, fixes: NO_FIXES };
  const text = raw.trim();
  const scalar = coerceScalar(text, types);
  if (scalar !== undefined) return { value: scalar, fixes: NO_FIXES };
  return coerceContainer(text, types, at) ?? { value: raw, fixes: NO_FIXES };
}

/**
 * Corrects the strings inside parsed JSON that the schema says are no strings (`"10"` for an integer, an object
 * written as text). Returns the very same value when there was nothing to correct.
 */
export function coerceJson(value: Json, at: SchemaAt, depth = 0): Json {
  if (!at.schema || depth > MAX_DEPTH) return value;
  if (typeof value === 'string') return coerceString(value, at);
  if (Array.isArray(value)) return coerceItems(value, at, depth);
  return isObject(value) ? coerceMembers(value, at, depth) : value;
}

function coerceScalar(text: string, types: ReadonlySet<string>): Json | undefined {
  if (types.has('null') && (text === 'null' || text === 'None')) return null;
  if (types.has('boolean') && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  if (!types.has('integer') && !types.has('number')) return undefined;
  return coerceNumber(text, types);
}

/** Only numbers that lose nothing: an id too long for a double stays text. */
function coerceNumber(text: string, types: ReadonlySet<string>): number | undefined {
  if (!/^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(text)) return undefined;
  const number = Number(text);
  if (!Number.isFinite(number)) return undefined;
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) return undefined;
  if (!types.has('number') && !Number.isInteger(number)) return undefined;
  return types.has('string') && String(number) !== text ? undefined : number;
}

function coerceContainer(text: string, types: ReadonlySet<string>, at: SchemaAt): Coerced | undefined {
  const wanted = text.startsWith('{') ? 'object' : 'array';
  if (!types.has(wanted) || !/^[{[]/.test(text)) return undefined;
  const parsed = tryParse(text);
  if (parsed !== undefined) return { value: coerceJson(parsed, at), fixes: NO_FIXES };
  const escaped = text.includes('\\"') ? tryParse(`"${text}"`) : undefined;
  const inner = typeof escaped === 'string' ? tryParse(escaped) : undefined;
  if (inner !== undefined) return { value: coerceJson(inner, at), fixes: ['JSON with escaped quotes'] };
  const mended = mendJson(text);
  if (!mended || mended.end < text.length) return undefined;
  return { value: coerceJson(mended.value, at), fixes: mended.fixes };
}

function coerceString(value: string, at: SchemaAt): Json {
  const types = typesOf(at.schema ?? {}, at.root);
  return types.has('string') ? value : coerceText(value, at).value;
}

function coerceItems(items: readonly Json[], at: SchemaAt, depth: number): Json {
  const schema = itemSchema(at.schema ?? {}, at.root);
  if (!schema) return items;
  const coerced = items.map((item) => coerceJson(item, { schema, root: at.root }, depth + 1));
  return coerced.some((item, index) => item !== items[index]) ? coerced : items;
}

function coerceMembers(object: JsonObject, at: SchemaAt, depth: number): Json {
  let changed: Record<string, Json> | undefined;
  for (const [key, value] of Object.entries(object)) {
    const schema = memberSchema(at.schema ?? {}, key, at.root);
    const coerced = coerceJson(value, { schema, root: at.root }, depth + 1);
    if (coerced === value) continue;
    changed ??= { ...object };
    setOwn(changed, key, coerced);
  }
  return changed ?? object;
}
