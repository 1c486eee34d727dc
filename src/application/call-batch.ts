import type { Effect, PreparedCall } from '../domain/effect.js';
import type { StopReason } from '../domain/step-state.js';
import type { ToolCall } from '../domain/tool-call.js';
import type { ToolResult } from '../domain/tool-result.js';
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

/** `implement/3/1/call`: positional, so that a run computed again asks for the same effect. */
export function effectId(batch: CallBatch, index: number, stage: 'call' | 'review' | 'prepare'): string {
  return `${batch.step}/${batch.turn}/${index + 1}/${stage}`;
}

export function callEffect(
  batch: CallBatch,
  index: number,
  prepared: Extract<PreparedCall, { verdict: 'run' | 'review' }>,
): Effect<'call'> {
  const { call, planHash, approval } = prepared;
  const input = { callId: call.id, tool: call.tool, arguments: call.arguments, planHash, approval };
  return { id: effectId(batch, index, 'call'), kind: 'call', input };
}
