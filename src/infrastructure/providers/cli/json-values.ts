import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.js';

/** Another program's output is what it is: whatever is not of the expected kind is as good as missing. */
export function objectAt(value: JsonObject, key: string): JsonObject {
  return asObject(value[key]);
}

function asObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function listAt(value: JsonObject, key: string): readonly JsonObject[] {
  const list = value[key];
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

export function textAt(value: JsonObject, key: string): string {
  const text = value[key];
  return typeof text === 'string' ? text : '';
}

export function numberAt(value: JsonObject, key: string): number {
  const number = value[key];
  return typeof number === 'number' && Number.isFinite(number) && number > 0 ? number : 0;
}
