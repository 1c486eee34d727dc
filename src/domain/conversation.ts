import type { StopReason } from './step-state.js';

/** What is done when a history grows longer than the agent may be sent. */
export type ContextStrategy = 'sliding_window' | 'truncate_middle' | 'summarize';

/** How a step goes on after the agent has answered. */
export interface Conversation {
  /** `single`: it does not. `automatic`: the agent is told the next prompt. `interactive`: a person says what. */
  readonly mode: 'single' | 'automatic' | 'interactive';
  readonly maxTurns?: number;
  /** Tokens that a request may have; without a strategy the step ends there. */
  readonly maxContextTokens?: number;
  readonly strategy?: ContextStrategy;
  /** A condition over `response`, `turn_count` and `tokens_used`, as it is written. */
  readonly stopCondition?: string;
  /** The earlier step whose history this one takes over. */
  readonly continueFrom?: string;
  /** What the agent is told after each reply of an automatic conversation; a template. */
  readonly nextPrompt?: string;
}

/** AWF's limits, where a file names none. */
export const DEFAULT_MAX_TURNS = 10;

/** Why a conversation ended; a limit or a failure of the step ends it too. */
export type ConversationEnd = 'condition' | 'user_exit' | StopReason;

/** What is known of a conversation once it is over. */
export interface ConversationState {
  /** Exchanges: what the agent was told, and what it answered when it was done with its calls. */
  readonly turns: number;
  readonly totalTokens: number;
  readonly stoppedBy: ConversationEnd;
  /** How often the agent was asked to sum up what no longer fitted. */
  readonly summaries: number;
}
