import { isObject, own } from '../json/own.js';
import type { Json, JsonObject } from '../types.js';

/** An array member; anything else counts as empty. */
export function listOf(object: JsonObject, key: string): readonly Json[] {
  const list = own(object, key);
  return Array.isArray(list) ? list : [];
}

/** A member that is a string with something in it. */
export function stringOf(object: JsonObject, key: string): string | undefined {
  const value = own(object, key);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The text of a message's content: a string, or parts of which the text parts count. */
export function joinText(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return (content as readonly Json[])
    .map((part) => (isObject(part) ? (stringOf(part, 'text') ?? '') : ''))
    .join('');
}
