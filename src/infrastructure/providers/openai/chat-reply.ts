import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.js';
import type { Usage } from '../../../domain/message.js';
import type { RequestedCall } from '../../../domain/tool-call.js';
import type { AgentReply } from '../../../ports/agent-provider.js';
import { objectsOf, requestedCall, textOf, withoutLast } from '../http/call-values.js';
import { cutMarks } from '../http/cut-reply.js';
import { failureOf, failureOfBody } from '../http/error-body.js';
import { badReply, FILTERED, refused } from '../http/provider-error.js';
import { functionOf } from './chat-messages.js';

/** A reply of the Chat Completions API that came at once. */
export function chatReply(body: JsonObject): AgentReply {
  throwReported(body);
  const [choice] = objectsOf(body.choices);
  throwReported(choice ?? {});
  if (!choice || !isJsonObject(choice.message)) throw badReply('the reply has no choices');
  return replyOf(choice.message, textOf(choice.finish_reason), body.usage);
}

/** Some servers say 200 and tell of the failure in the body, or in the choice. */
export function throwReported(said: JsonObject): void {
  if (said.error !== undefined && said.error !== null) throw failureOfBody(said);
}

/** Ends that are not the model's own: the last, of DeepSeek's, means that the server was too busy to go on. */
const CUT_SHORT: ReadonlySet<string> = new Set(['length', 'content_filter', 'insufficient_system_resource']);

/** What the model said. How it says that it ended is believed only where it ended badly: many say `stop` for calls. */
export function replyOf(message: JsonObject, reason: string, usage: Json | undefined): AgentReply {
  const isCut = CUT_SHORT.has(reason);
  const calls = withoutLast(callsOf(message), isCut);
  const content = contentText(message.content);
  const counted = chatUsage(usage);
  if (reason === 'error') throw failureOf(500, 'the reply ended with an error that says nothing more');
  const isEmpty = content === '' && calls.length === 0;
  const refusal = textOf(message.refusal) || (reason === 'content_filter' && isEmpty ? FILTERED : '');
  if (refusal !== '') throw refused(refusal, counted);
  return {
    message: {
      role: 'assistant',
      content,
      calls,
      ...cutMarks(isCut ? reason : undefined),
      raw: { chat: { ...message, content } },
    },
    ...(counted ? { usage: counted } : {}),
  };
}

/** A list of calls, or the one call of servers that are older than lists. */
function callsOf({ tool_calls: list, function_call: legacy }: JsonObject): readonly RequestedCall[] {
  const calls = objectsOf(list).map((call) => {
    const { name, arguments: args } = functionOf(call);
    return requestedCall(call.id, name, args);
  });
  if (calls.length > 0 || !isJsonObject(legacy)) return calls;
  return [requestedCall(undefined, legacy.name, legacy.arguments)];
}

/** Some servers write text in parts, and thoughts between them. */
export function contentText(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  return objectsOf(content)
    .map(({ type = 'text', text }) => (SPOKEN.has(String(type)) ? textOf(text) : ''))
    .join('');
}

const SPOKEN: ReadonlySet<string> = new Set(['text', 'output_text']);

/** Tokens; OpenRouter says what they cost as well. */
function chatUsage(usage: Json | undefined): Usage | undefined {
  if (!isJsonObject(usage)) return undefined;
  const { prompt_tokens: input, completion_tokens: output, prompt_tokens_details: details, cost } = usage;
  if (typeof input !== 'number' && typeof output !== 'number') return undefined;
  const cached = isJsonObject(details) ? details.cached_tokens : undefined;
  return {
    inputTokens: typeof input === 'number' ? input : 0,
    outputTokens: typeof output === 'number' ? output : 0,
    ...(typeof cached === 'number' && cached > 0 ? { cacheReadTokens: cached } : {}),
    ...(typeof cost === 'number' && cost > 0 ? { costUsd: cost } : {}),
  };
}
