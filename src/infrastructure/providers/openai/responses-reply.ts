import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.js';
import type { Usage } from '../../../domain/message.js';
import type { RequestedCall } from '../../../domain/tool-call.js';
import type { AgentReply } from '../../../ports/agent-provider.js';
import { member, objectsOf, requestedCall, textOf } from '../http/call-values.js';
import { cutMarks } from '../http/cut-reply.js';
import { failureOfBody } from '../http/error-body.js';
import { badReply, FILTERED, refused } from '../http/provider-error.js';

/** What a response says, whole or at the end of its stream. */
export function responsesReply(response: JsonObject): AgentReply {
  const { status, error, output } = response;
  if (status === 'failed' || isJsonObject(error)) throw failureOfBody({ error: error ?? {} });
  if (!Array.isArray(output)) throw badReply('the reply has no output');
  if (status === 'cancelled') throw badReply('the reply was cancelled');
  const items = objectsOf(output);
  const isCut = status === 'incomplete';
  const content = partsOf(items, 'output_text', 'text');
  const calls = callsOf(items, isCut);
  const usage = usageOf(response.usage);
  const refusal = content === '' && calls.length === 0 ? refusalOf(response, items) : '';
  if (refusal !== '') throw refused(refusal, usage);
  return {
    message: {
      role: 'assistant',
      content,
      calls,
      ...cutMarks(isCut ? incompleteReason(response) : undefined),
      raw: { responses: items },
    },
    ...(usage ? { usage } : {}),
  };
}

function incompleteReason({ incomplete_details: details }: JsonObject): string {
  return textOf(member(details, 'reason'));
}

function refusalOf(response: JsonObject, items: readonly JsonObject[]): string {
  const isFiltered = incompleteReason(response) === 'content_filter';
  return partsOf(items, 'refusal', 'refusal') || (isFiltered ? FILTERED : '');
}

/** A call is whole if it says so itself; in a reply that was cut off, the last item cannot be believed. */
function callsOf(items: readonly JsonObject[], isCut: boolean): readonly RequestedCall[] {
  return items.flatMap(({ type, call_id: id, name, arguments: args, status }, place) => {
    if (type !== 'function_call') return [];
    const call = requestedCall(id, name, args);
    const isLast = isCut && place === items.length - 1;
    return [isLast || status === 'incomplete' ? { ...call, complete: false } : call];
  });
}

/** All texts of one kind of part, over all messages. */
function partsOf(items: readonly JsonObject[], type: string, key: string): string {
  return items
    .flatMap((item) => (item.type === 'message' ? objectsOf(item.content) : []))
    .map((part) => (part.type === type ? textOf(part[key]) : ''))
    .join('');
}

function usageOf(usage: Json | undefined): Usage | undefined {
  const [input, output] = [member(usage, 'input_tokens'), member(usage, 'output_tokens')];
  if (typeof input !== 'number' || typeof output !== 'number') return undefined;
  const cached = member(member(usage, 'input_tokens_details'), 'cached_tokens');
  return {
    inputTokens: input,
    outputTokens: output,
    ...(typeof cached === 'number' && cached > 0 ? { cacheReadTokens: cached } : {}),
  };
}
