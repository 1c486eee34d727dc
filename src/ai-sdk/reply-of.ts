import type { LanguageModelV3Content, LanguageModelV3GenerateResult } from '@ai-sdk/provider';
import type { Json } from '../domain/json.js';
import type { Usage } from '../domain/message.js';
import { ReplyError } from '../domain/reply-error.js';
import type { RequestedCall } from '../domain/tool-call.js';
import type { AgentReply } from '../ports/agent-provider.js';
import { argumentsOf, rawPart } from './raw-part.js';

/** A reply as a model gives it, whole or put together from its stream. */
export type ModelReply = Pick<LanguageModelV3GenerateResult, 'content' | 'finishReason' | 'usage'>;

/** What the model said, and its own parts beside it for the next turn. */
export function replyOf({ content, finishReason, usage }: ModelReply): AgentReply {
  const reason = reasonOf(finishReason);
  const counted = usageOf(usage);
  if (reason === 'content-filter') {
    throw new ReplyError(
      'EXECUTION.PROVIDER.REFUSED',
      'the reply was held back by a content filter',
      counted,
    );
  }
  if (reason === 'error') {
    throw new ReplyError('EXECUTION.PROVIDER.FAILED', 'the model ended its reply with an error', counted);
  }
  const isCut = reason === 'length';
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const raw = { ai_sdk: content.flatMap(rawPart) } as unknown as Json;
  return {
    message: {
      role: 'assistant',
      content: text,
      calls: callsOf(content, isCut),
      ...(isCut ? { cutOff: true } : {}),
      raw,
    },
    ...(counted ? { usage: counted } : {}),
  };
}

/** An object in version 6, a word in version 5. */
function reasonOf(reason: ModelReply['finishReason'] | string): string {
  return typeof reason === 'string' ? reason : reason.unified;
}

function callsOf(content: readonly LanguageModelV3Content[], isCut: boolean): readonly RequestedCall[] {
  return content.flatMap((part, index) => {
    // What the provider runs itself is none of our tools.
    if (part.type !== 'tool-call' || part.providerExecuted) return [];
    const call = { id: part.toolCallId, name: part.toolName, arguments: argumentsOf(part.input) };
    return isCut && index === content.length - 1 ? [{ ...call, complete: false }] : [call];
  });
}

/** Counts are objects in version 6, numbers in version 5. */
function usageOf(usage: unknown): Usage | undefined {
  const { inputTokens, outputTokens, cachedInputTokens } = countsOf(usage) ?? {};
  const read = countsOf(inputTokens) ?? { total: inputTokens, cacheRead: cachedInputTokens };
  const written = countsOf(outputTokens) ?? { total: outputTokens };
  const [input, output] = [countOf(read.total), countOf(written.total)];
  if (input === undefined && output === undefined) return undefined;
  const [cacheReadTokens, cacheWriteTokens] = [countOf(read.cacheRead), countOf(read.cacheWrite)];
  return {
    inputTokens: input ?? 0,
    outputTokens: output ?? 0,
    ...(cacheReadTokens ? { cacheReadTokens } : {}),
    ...(cacheWriteTokens ? { cacheWriteTokens } : {}),
  };
}

function countsOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
