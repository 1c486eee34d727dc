import { isJsonObject, type JsonObject } from '../../../domain/json.js';
import type { AssistantMessage, Usage } from '../../../domain/message.js';
import type { RequestedCall } from '../../../domain/tool-call.js';
import { requestedCall } from '../http/call-values.js';
import { badReply, refused } from '../http/provider-error.js';
import { functionCalls, type RawContent, type WireReply } from './google-wire.js';

const REFUSALS = new Set(
  'SAFETY RECITATION LANGUAGE BLOCKLIST PROHIBITED_CONTENT SPII IMAGE_SAFETY IMAGE_PROHIBITED_CONTENT'.split(
    ' ',
  ),
);

/** A call that the model began and could not spell: the API gives no trace of it to answer to. */
export function isMalformed({ parts, finishReason }: WireReply): boolean {
  return /^(?:MALFORMED|UNEXPECTED|TOO_MANY)_/.test(finishReason) && functionCalls(parts).length === 0;
}

/** What the model said. Whether it calls tools is seen from its parts: servers differ in the reason they give. */
export function assistantMessageOf(reply: WireReply, usage: Usage | undefined): AssistantMessage {
  const { parts, finishReason, finishMessage } = reply;
  const why = finishMessage === undefined ? finishReason : `${finishReason}: ${finishMessage}`;
  if (REFUSALS.has(finishReason)) throw refused(why, usage);
  if (isMalformed(reply) || (parts.length === 0 && finishReason === 'OTHER'))
    throw badReply(`no usable reply (${why})`, usage);
  const isCut = finishReason === 'MAX_TOKENS';
  const raw: RawContent = { role: 'model', parts };
  return {
    role: 'assistant',
    content: parts
      .map((part) => (typeof part.text === 'string' && part.thought !== true ? part.text : ''))
      .join(''),
    calls: callsOf(parts, isCut),
    ...(isCut ? { cutOff: true } : {}),
    raw,
  };
}

/** Thoughts are paid for like what is said; what came from the cache is part of the prompt. */
export function usageOf(usage: JsonObject): Usage | undefined {
  const count = (key: string) => (typeof usage[key] === 'number' ? usage[key] : 0);
  if (typeof usage.promptTokenCount !== 'number') return undefined;
  const cached = count('cachedContentTokenCount');
  return {
    inputTokens: usage.promptTokenCount + count('toolUsePromptTokenCount'),
    outputTokens: count('candidatesTokenCount') + count('thoughtsTokenCount'),
    ...(cached > 0 ? { cacheReadTokens: cached } : {}),
  };
}

/** Calls without an id keep an empty one: the loop names them. */
function callsOf(parts: readonly JsonObject[], isCut: boolean): readonly RequestedCall[] {
  return parts.flatMap(({ functionCall }, index) => {
    if (!isJsonObject(functionCall)) return [];
    const { id, name, args } = functionCall;
    const call = requestedCall(id, name, args);
    return isCut && index === parts.length - 1 ? [{ ...call, complete: false }] : [call];
  });
}
