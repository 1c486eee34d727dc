import { NO_USAGE, type Usage } from '../domain/message.js';
import type { DurableRun } from '../ports/durable-run.js';
import type { ContextWindow } from './context-window.js';
import type { Emit } from './events.js';
import type { StepProgress } from './progress.js';
import type { LoopRequest } from './step-loop.js';
import type { StopCondition } from './stop-conditions.js';

/** A step while its loop runs. */
export interface Loop {
  readonly run: DurableRun;
  readonly request: LoopRequest;
  readonly emit: Emit;
  readonly progress: StepProgress;
  /** The history, as much of it as the agent gets to see. */
  readonly window: ContextWindow;
  /** Whether anything ends the step by its tokens: then those that a provider does not count are estimated. */
  readonly countsTokens: boolean;
}

/** What a reply counts for: what its provider says, or about what it was where somebody must know. */
export function usageOf(
  { countsTokens }: Loop,
  { usage, isReply }: { readonly usage: Usage | undefined; readonly isReply: boolean },
  estimate: () => number,
): Usage | undefined {
  return usage || !countsTokens || !isReply ? usage : { ...NO_USAGE, estimatedTokens: estimate() };
}

/** The first condition that is met; `final` ones only, after which the agent has no last turn. */
export function metCondition(
  { request, progress }: Loop,
  which: 'any' | 'final' = 'any',
): StopCondition | undefined {
  return request.conditions.find(
    (condition) => (which === 'any' || !condition.lastTurn) && condition.isMet(progress),
  );
}
