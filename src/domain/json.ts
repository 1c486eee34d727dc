/** Anything JSON can hold. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

/** A JSON object; the form of a call's arguments. */
export type JsonObject = { readonly [key: string]: Json };

/** A JSON Schema (draft 2020-12 as far as ajv reads it) as plain data. */
export type JsonSchema = JsonObject;

/** True for a plain object: neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** As deep as arguments may be nested: much deeper, and whoever walks them runs out of stack. */
export const MOST_LEVELS = 64;

/** Whether a value is nested no deeper than that. */
export function isShallow(value: unknown, levels = MOST_LEVELS): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((each) => isShallow(each, levels - 1));
}

/** One text for equal values whatever the order of their keys: what hashes and comparisons are made over. */
export function canonicalJson(value: Json): string {
  return JSON.stringify(isSorted(value) ? value : sorted(value));
}

/** Most values are, and telling so is far cheaper than sorting them: this runs for every call. */
function isSorted(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isSorted);
  const object = value as JsonObject;
  let last = '';
  for (const key in object) {
    if (key < last || !isSorted(object[key] ?? null)) return false;
    last = key;
  }
  return true;
}

function sorted(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const object = value as JsonObject;
  const keys = Object.keys(object).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(object[key] ?? null)]));
}

/** Freezes JSON data and all that hangs on it, so that what was approved is what runs. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  // Not Object.values: this runs for every call, and needs no list.
  for (const key in value) deepFreeze(value[key]);
  return Object.freeze(value);
}
