import type { ApprovalDecision } from '../domain/approval.js';
import type { Effect, EffectKind, OutcomeOf } from '../domain/effect.js';
import type { CallSlots } from './call-slots.js';
import type { EffectPerformer, PerformContext } from './effect-performer.js';
import type { StepSignal } from './step-signal.js';

/** One call from outside while it is under way. */
export interface LiveCall {
  readonly effects: EffectPerformer;
  readonly signal: StepSignal;
}

/** Performs the effects of calls that are under way at the same time, each by its own call's effects and signal. */
export class OutsideEffects implements EffectPerformer {
  readonly #live = new Map<string, LiveCall>();

  constructor(
    private readonly slots: CallSlots,
    private readonly isExclusive: (tool: string) => boolean,
  ) {}

  /** `place` is what the ids of all its effects begin with. */
  begin(place: string, call: LiveCall): void {
    this.#live.set(place, call);
  }

  end(place: string): void {
    this.#live.delete(place);
  }

  async perform<K extends EffectKind>(
    effect: Effect<K>,
    context: PerformContext,
  ): Promise<OutcomeOf<K> | undefined> {
    const live = this.#live.get(placeOf(effect.id));
    if (!live) return undefined;
    const perform = (): Promise<OutcomeOf<K> | undefined> => live.effects.perform(effect, context);
    if (isCall(effect)) {
      const isExclusive = this.isExclusive(effect.input.tool);
      return this.slots.use(perform, { isExclusive, signal: live.signal.signal });
    }
    const outcome = await perform();
    if (outcome !== undefined || effect.kind !== 'review') return outcome;
    return withdrawn(live.signal.isCancelled) as OutcomeOf<K>;
  }
}

function isCall(effect: Effect): effect is Effect<'call'> {
  return effect.kind === 'call';
}

/** `serve/3/1/review` is about `serve/3/1`; a question in the middle of an effect goes one level deeper. */
function placeOf(effectId: string): string {
  const match = /^(.*\/\d+\/1)\/[^/]+(?:\/review-\d+)?$/.exec(effectId);
  return match?.[1] ?? effectId;
}

/**
 * A question that nobody answered is over for good: whoever made the call does not wait for it, and an answer that
 * came later would let a call run that nobody reads.
 */
function withdrawn(isCancelled: boolean): ApprovalDecision {
  return isCancelled
    ? { kind: 'denied', reason: 'the call was withdrawn before anybody answered' }
    : { kind: 'denied', unavailable: true, reason: 'nobody can answer while the caller waits' };
}
