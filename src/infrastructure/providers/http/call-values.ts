import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.js';
import type { AssistantMessage, InjectedResult } from '../../../domain/message.js';
import { parseJson } from '../../../domain/parse-json.js';
import type { RequestedCall } from '../../../domain/tool-call.js';
import { wireText } from './wire-text.js';

/** A call as an API wrote it; what is missing or of another type is made up for. */
export function requestedCall(
  id: Json | undefined,
  name: Json | undefined,
  args: Json | undefined,
): RequestedCall {
  return { id: textOf(id), name: textOf(name), arguments: argumentsOf(args) };
}

/** The last call of a reply that was cut off is not whole, even if it looks so. */
export function withoutLast(calls: readonly RequestedCall[], isCut: boolean): readonly RequestedCall[] {
  if (!isCut) return calls;
  return calls.map((call, index) => (index === calls.length - 1 ? { ...call, complete: false } : call));
}

/** A name that every API takes back: models invent others, and then the API would refuse the whole conversation. */
export function wireName(name: string): string {
  return name.replace(/[^\w-]/g, '_').slice(0, 64) || 'unnamed';
}

/** Arguments as text that every server reads: one that is no JSON object would be refused, or break a template. */
export function argumentsText(args: Json | undefined): string {
  if (typeof args !== 'string') return wireText(isJsonObject(args) ? args : {});
  return isJsonObject(parseJson(args)) ? args : '{}';
}

/** What the model reads of a result, in an API that has no place for a failure. */
export function resultText({ output, isError }: InjectedResult): string {
  return isError ? `Error: ${output}` : output;
}

/** A text for an API that refuses one without words. */
export function orPlaceholder(text: string): string {
  return text.trim() === '' ? '(empty)' : text;
}

/** What an assistant message's `raw` holds for this API; nothing where another provider wrote it. */
export function rawOf(message: AssistantMessage, api: string): Json | undefined {
  return isJsonObject(message.raw) ? message.raw[api] : undefined;
}

/** The items of a list that is JSON text, to be put into another list. */
export function itemsOf(list: string): string {
  return list.slice(1, -1);
}

/** A list of objects, without what is no object. */
export function objectsOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter(isJsonObject) : [];
}

/** A member of what may be an object. */
export function member(value: Json | undefined, key: string): Json | undefined {
  return isJsonObject(value) ? value[key] : undefined;
}

export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Servers write nothing, or `null`, for a call without arguments. */
export function isNoArguments(text: string): boolean {
  return /^\s*(?:null\s*)?$/.test(text);
}

/** Text that is no JSON stays text: the gate refuses it with words that the model can read. */
function argumentsOf(args: Json | undefined): Json {
  if (typeof args !== 'string') return args ?? {};
  return isNoArguments(args) ? {} : (parseJson(args) ?? args);
}
