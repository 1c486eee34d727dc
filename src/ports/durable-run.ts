import type { Effect, EffectKind, OutcomeOf } from '../domain/effect.js';

/**
 * Where the loop's effects happen. Each is performed once and its outcome recorded; when the loop is run again
 * over the same record, the outcome is given back instead. The loop itself does nothing but compute.
 */
export interface DurableRun {
  readonly runId: string;
  task<K extends EffectKind>(effect: Effect<K>): Promise<Performed<K>>;
  /** Records that all of them are about to happen, then starts them; the answers keep the order of the effects. */
  all<K extends EffectKind>(
    effects: readonly Effect<K>[],
    options: BatchOptions<K>,
  ): Promise<readonly Performed<K>[]>;
}

export interface BatchOptions<K extends EffectKind> {
  readonly maxParallel: number;
  /** Whether an effect must have no other beside it. */
  readonly isExclusive: (effect: Effect<K>) => boolean;
  readonly onStart: (effect: Effect<K>, replayed: boolean) => void;
  readonly onEnd: (effect: Effect<K>, performed: Performed<K>) => void;
}

export interface Performed<K extends EffectKind> {
  readonly value: OutcomeOf<K>;
  /** True when it was read from the record, not performed now. */
  readonly replayed: boolean;
}
