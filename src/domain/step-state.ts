import type { ConversationState } from './conversation.js';
import type { Failure } from './errors.js';
import type { JsonObject } from './json.js';
import type { Usage } from './message.js';
import type { ToolResult } from './tool-result.js';

/** Why a step's loop ended. Only `completed` is the agent's own doing. */
export type StopReason =
  | 'completed'
  | 'max_calls'
  | 'max_turns'
  | 'max_context_tokens'
  | 'max_duration'
  | 'max_tokens'
  | 'max_cost'
  | 'cycle'
  | 'cancelled'
  | 'aborted'
  | 'suspended'
  | 'approval_unavailable'
  | 'error';

/** One call and the one answer it got. */
export interface CallRecord {
  readonly id: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly result: ToolResult;
}

export interface ToolStats {
  readonly totalCalls: number;
  readonly successful: number;
  readonly failed: number;
  /** Part of `failed`. */
  readonly denied: number;
  readonly totalDurationMs: number;
}

/** What is known of a step once it is over. */
export interface StepState {
  readonly name: string;
  readonly output: string;
  readonly toolCalls: readonly CallRecord[];
  readonly toolStats: ToolStats;
  readonly stoppedBy: StopReason;
  readonly turns: number;
  readonly usage: Usage;
  /** Only of a step that is a conversation. */
  readonly conversation?: ConversationState;
  /** Why it failed; with a limit, why its last turn could not be had. */
  readonly error?: Failure;
}
