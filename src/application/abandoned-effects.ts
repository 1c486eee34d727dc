import type { CallOutcome, Effect, EffectKind, OutcomeOf } from '../domain/effect.js';
import type { Failure } from '../domain/errors.js';
import { failedResult } from '../domain/tool-result.js';
import type { Clock } from '../ports/clock.js';
import type { EffectPerformer, PerformContext } from './effect-performer.js';
import { IN_DOUBT } from './execute-call.js';

/**
 * What is left to do for a call whose caller died with the process that answered it: nothing. A question that was
 * open is over, a call that had begun is in doubt, and one that had not is not begun any more.
 */
export class AbandonedEffects implements EffectPerformer {
  constructor(private readonly clock: Clock) {}

  async perform<K extends EffectKind>(
    { kind }: Effect<K>,
    { inDoubt }: PerformContext,
  ): Promise<OutcomeOf<K> | undefined> {
    if (kind === 'review') return { kind: 'denied', reason: NOT_RUN.message } as OutcomeOf<K>;
    if (kind !== 'call') return undefined;
    const result = failedResult(inDoubt ? IN_DOUBT : NOT_RUN);
    return { result, at: this.clock.now() } satisfies CallOutcome as OutcomeOf<K>;
  }

  /** Nobody is being asked. */
  withdrawReviews(): void {}
}

const NOT_RUN: Failure = {
  code: 'EXECUTION.CALL.CANCELLED',
  message: 'Not run: the process stopped before the call began, and its caller no longer waits.',
};
