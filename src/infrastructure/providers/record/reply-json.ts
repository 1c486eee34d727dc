import { usageFromJson, usageToJson } from '../../../domain/message.js';
import { failedReply, ReplyError } from '../../../domain/reply-error.js';
import type { AgentReply } from '../../../ports/agent-provider.js';
import type { RecordedReply } from './recorded-exchange.js';

/** A reply as a recording has it. The provider's own form of it is left out: no other provider reads it. */
export function replyToJson({ message, usage, contextTokens }: AgentReply): RecordedReply {
  return {
    text: message.content,
    tool_calls: message.calls,
    ...(message.cutOff ? { cut_off: true } : {}),
    ...(usage ? { usage: usageToJson(usage) } : {}),
    ...(contextTokens === undefined ? {} : { context_tokens: contextTokens }),
  };
}

/** The failure of a request that got no reply, as a recording has it. */
export function failureToJson(error: unknown): RecordedReply {
  const { failure, usage } = failedReply(error);
  return { failure, ...(usage ? { usage: usageToJson(usage) } : {}) };
}

/** The reply again; a recorded failure is thrown, as it was then. */
export function replyFromJson(reply: RecordedReply): AgentReply {
  const usage = reply.usage && usageFromJson(reply.usage);
  if ('failure' in reply) throw new ReplyError(reply.failure.code, reply.failure.message, usage);
  const { text, tool_calls: calls, cut_off: cutOff, context_tokens: contextTokens } = reply;
  const message = { role: 'assistant', content: text, calls, ...(cutOff ? { cutOff } : {}) } as const;
  const counts = { ...(usage ? { usage } : {}), ...(contextTokens === undefined ? {} : { contextTokens }) };
  return { message, ...counts };
}
