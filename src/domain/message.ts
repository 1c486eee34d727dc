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

/** Tokens and money of one turn or of many; unknown cost is absent, never zero. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd?: number;
}

export const NO_USAGE: Usage = Object.freeze({ inputTokens: 0, outputTokens: 0 });

export function addUsage(left: Usage, right: Usage | undefined): Usage {
  if (!right) return left;
  const costUsd =
    left.costUsd === undefined && right.costUsd === undefined
      ? undefined
      : (left.costUsd ?? 0) + (right.costUsd ?? 0);
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    ...(costUsd === undefined ? {} : { costUsd }),
  };
}
