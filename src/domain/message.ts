import type { Json } from './json.js';
import type { RequestedCall } from './tool-call.js';

/** One entry of a transcript. The list is only ever appended to, and shared, never copied. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

interface SystemMessage {
  readonly role: 'system';
  readonly content: string;
}

interface UserMessage {
  readonly role: 'user';
  readonly content: string;
}

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: string;
  readonly calls: readonly RequestedCall[];
  /** The model did not come to an end of its own: the reply stops where its tokens ran out. */
  readonly cutOff?: boolean;
  /** Why, where it is something else than that. */
  readonly cutReason?: string;
  /** The provider's own message, replayed to it verbatim: thinking blocks and signatures live here. */
  readonly raw?: Json;
}

/** All results of one reply's calls, in the order of the calls. */
export interface ToolMessage {
  readonly role: 'tool';
  readonly results: readonly InjectedResult[];
}

/** A result as the agent gets to read it. */
export interface InjectedResult {
  readonly callId: string;
  readonly tool: string;
  readonly output: string;
  readonly isError: boolean;
}

/** Tokens and money of one turn or of many; what is unknown is absent, never zero. */
export interface Usage {
  /** All that was read, also what came from a cache or went into one. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Part of `inputTokens`: read from the provider's prompt cache, at a lower price. */
  readonly cacheReadTokens?: number;
  /** Part of `inputTokens`: written to the provider's prompt cache, at a higher price. */
  readonly cacheWriteTokens?: number;
  readonly costUsd?: number;
  /** Beside what was counted: about what requests had and got whose provider counts nothing. Only where a limit asks. */
  readonly estimatedTokens?: number;
}

export const NO_USAGE: Usage = Object.freeze({ inputTokens: 0, outputTokens: 0 });

export function addUsage(left: Usage, right: Usage | undefined): Usage {
  if (!right) return left;
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    ...sumOf('cacheReadTokens', left, right),
    ...sumOf('cacheWriteTokens', left, right),
    ...sumOf('costUsd', left, right),
    ...sumOf('estimatedTokens', left, right),
  };
}

/** What counts against a limit: what the provider has counted, and what had to be estimated. */
export function tokensUsed(usage: Usage): number {
  return totalTokens(usage) + (usage.estimatedTokens ?? 0);
}

/** What was read and what was written. */
export function totalTokens({ inputTokens, outputTokens }: Usage): number {
  return inputTokens + outputTokens;
}

function sumOf(key: keyof Usage, left: Usage, right: Usage): Partial<Usage> {
  if (left[key] === undefined && right[key] === undefined) return {};
  return { [key]: (left[key] ?? 0) + (right[key] ?? 0) };
}

/** Tokens and money as states, events, audit lines and recordings show them. A type, so that it counts as JSON. */
export type UsageJson = {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_tokens?: number;
  readonly cache_write_tokens?: number;
  readonly cost_usd?: number;
  readonly estimated_tokens?: number;
};

export function usageToJson(usage: Usage): UsageJson {
  const { cacheReadTokens: read, cacheWriteTokens: written, costUsd, estimatedTokens } = usage;
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    ...(read === undefined ? {} : { cache_read_tokens: read }),
    ...(written === undefined ? {} : { cache_write_tokens: written }),
    ...(costUsd === undefined ? {} : { cost_usd: costUsd }),
    ...(estimatedTokens === undefined ? {} : { estimated_tokens: estimatedTokens }),
  };
}

export function usageFromJson(usage: UsageJson): Usage {
  const { cache_read_tokens: read, cache_write_tokens: written, cost_usd: costUsd } = usage;
  return {
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    ...(read === undefined ? {} : { cacheReadTokens: read }),
    ...(written === undefined ? {} : { cacheWriteTokens: written }),
    ...(costUsd === undefined ? {} : { costUsd }),
  };
}
