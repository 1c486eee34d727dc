import type { Effect, PreparedCall } from '../domain/effect.js';
import type { Failure } from '../domain/errors.js';
import type { StopReason } from '../domain/step-state.js';
import type { ToolCall } from '../domain/tool-call.js';
import { failedResult, type ToolResult } from '../domain/tool-result.js';
import type { ToolOptions } from '../domain/workflow.js';
import type { DurableRun } from '../ports/durable-run.js';
import type { Emit } from './events.js';

/** One reply's calls in their surroundings. */
export interface CallBatch {
  readonly run: DurableRun;
  readonly emit: Emit;
  readonly step: string;
  readonly turn: number;
  readonly maxParallel: number;
  readonly isExclusive: (tool: string) => boolean;
  readonly isCancelled: () => boolean;
  readonly approvedPlans: Set<string>;
  /** Takes back all questions that nobody has answered: their answers no longer matter. */
  readonly withdrawReviews: () => void;
  /** When the time to answer is over, in milliseconds since 1970. */
  readonly reviewDeadline?: number;
  /** How many of them may still run, and the limit that says so. */
  readonly runnable: number;
  readonly limit: number;
  /** Set when a budget is used up or the step is closing: then none is run. */
  readonly spent?: StopReason;
}

/** A call of the batch, with the position that its effects are named by. */
export interface PlacedCall {
  readonly prepared: PreparedCall;
  readonly index: number;
}

/** A call on which nothing is left to decide. */
export type SettledCall =
  | { readonly kind: 'run'; readonly call: ToolCall; readonly effect: Effect<'call'>; readonly note?: string }
  | { readonly kind: 'refused'; readonly call: ToolCall; readonly result: ToolResult };

/** Counted from the reply, not from a clock: a run that is computed again must come to the same. */
export function reviewDeadline(
  repliedAt: number,
  { approvalTimeoutMs }: ToolOptions,
): Pick<CallBatch, 'reviewDeadline'> | undefined {
  return approvalTimeoutMs === undefined ? undefined : { reviewDeadline: repliedAt + approvalTimeoutMs };
}

/** What deciding a call came to: that it is settled, or that the whole step is over. */
export type Settling = SettledCall | 'aborted' | 'cancelled';

/** A call that has a plan. */
export type PlannedVerdict = Extract<PreparedCall, { verdict: 'run' | 'review' }>;

type Stage = 'call' | 'review' | 'prepare';

/** `implement/3/1/call`: positional, so that a run computed again asks for the same effect. */
export function effectId(batch: CallBatch, index: number, stage: Stage | `${Stage}-${number}`): string {
  return `${batch.step}/${batch.turn}/${index + 1}/${stage}`;
}

export function toRun(
  batch: CallBatch,
  index: number,
  { call, planHash, approval }: PlannedVerdict,
): Extract<SettledCall, { kind: 'run' }> {
  const input = { callId: call.id, tool: call.tool, arguments: call.arguments, planHash, approval };
  return { kind: 'run', call, effect: { id: effectId(batch, index, 'call'), kind: 'call', input } };
}

export function refused({ call }: PreparedCall, failure: Failure): SettledCall {
  return { kind: 'refused', call, result: failedResult(failure) };
}
