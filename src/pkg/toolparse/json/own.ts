import type { Json, JsonObject } from '../types.js';

const { hasOwn } = Object;
const { isArray } = Array;

/** True for a plain object: neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !isArray(value);
}

/** An own member, so that `constructor` and `__proto__` are only ever what the model wrote. */
export function own(object: JsonObject, key: string): Json | undefined {
  return hasOwn(object, key) ? object[key] : undefined;
}

/** Sets a member as JSON.parse does: `__proto__` becomes plain data and never a prototype. */
export function setOwn(object: Record<string, Json>, key: string, value: Json): void {
  if (key !== '__proto__') {
    object[key] = value;
    return;
  }
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

/** JSON.parse without the throw; `undefined` is never a JSON value. */
export function tryParse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
