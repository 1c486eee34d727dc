import type { ApprovalDecision } from '../domain/approval.js';
import type { Effect, EffectKind, OutcomeOf, ReviewInput } from '../domain/effect.js';
import type { StartedProcess } from '../ports/sandbox.js';

/** Makes effects happen. A durable run calls it for what its record does not know yet. */
export interface EffectPerformer {
  /** `undefined`: there is no outcome yet, and none must be recorded (an approval that waits for days). */
  perform<K extends EffectKind>(
    effect: Effect<K>,
    context: PerformContext,
  ): Promise<OutcomeOf<K> | undefined>;
}

export interface PerformContext {
  readonly runId: string;
  /** True when an earlier attempt began and nobody knows how it ended. */
  readonly inDoubt: boolean;
  readonly onProcess: (process: StartedProcess) => void;
  /** Asks a person in the middle of an effect; recorded like any other question, and asked anew each time. */
  readonly review: (input: ReviewInput) => Promise<ApprovalDecision>;
}

/** Thrown by a durable run for an effect that has no outcome yet; the step is suspended, not failed. */
export class EffectPendingError extends Error {
  override readonly name = 'EffectPendingError';
  constructor(readonly effectId: string) {
    super(`${effectId} has no outcome yet`);
  }
}
