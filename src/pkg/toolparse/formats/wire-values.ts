import { isObject, own } from '../json/own.js';
import type { Ending } from '../stream-events/event-reader.js';
import type { Json, JsonObject } from '../types.js';
import type { WireCall, WireReading } from './wire-format.js';

/** An array member; anything else counts as empty. */
export function listOf(object: JsonObject, key: string): readonly Json[] {
  const list = own(object, key);
  return Array.isArray(list) ? list : [];
}

/** The objects in an array member. */
export function objectsOf(object: JsonObject, key: string): readonly JsonObject[] {
  return listOf(object, key).filter(isObject);
}

/** A member that is an object. */
export function objectOf(object: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = object && own(object, key);
  return isObject(value) ? value : undefined;
}

/** A member that is a string with something in it. */
export function stringOf(object: JsonObject | undefined, key: string): string | undefined {
  const value = object && own(object, key);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** What keys the parts of a stream: an index or an id. */
export function keyOf(object: JsonObject, key: string): string | number | undefined {
  const value = own(object, key);
  return typeof value === 'number' || typeof value === 'string' ? value : undefined;
}

/** The text of a message's content: a string, or parts of which the text parts count. */
export function joinText(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return (content as readonly Json[])
    .map((part) => (isObject(part) ? (stringOf(part, 'text') ?? '') : ''))
    .join('');
}

/** A call with a name; without one it is none. */
export function namedCall(
  name: string | undefined,
  id: string | undefined,
  args: Json | undefined,
): readonly WireCall[] {
  return name === undefined ? [] : [{ name, id, arguments: args }];
}

const CUT =
  /^(?:length|max_?(?:output_)?tokens|model_length|(?:model_)?context_window_exceeded|incomplete|in_progress|queued|error_limit)$/i;
const REFUSED =
  /^(?:refusal|content_?filter(?:ed)?|guardrail_intervened|safety|recitation|language|blocklist|prohibited_content|spii|error|error_toxic|failed|cancelled|user_cancel)$/i;

/** What a provider's reason for ending means; undefined while there is none. */
export function endingOf(reason: string | undefined): Ending | undefined {
  if (reason === undefined) return undefined;
  if (CUT.test(reason)) return 'cut';
  return REFUSED.test(reason) ? 'refused' : 'whole';
}

/** A body's calls and text, with what the provider says of its end. */
export function wireReading(
  calls: readonly WireCall[],
  text: string,
  reason: string | undefined,
): WireReading {
  const ending = endingOf(reason);
  return { calls, text, cut: ending === 'cut', refused: ending === 'refused' };
}
