import type { Effect, EffectKind, InputOf, OutcomeOf } from '../domain/effect.js';
import type { JournaledEffect, JournalRecord } from '../domain/journal.js';
import type { Json } from '../domain/json.js';
import type { BatchOptions, DurableRun, Performed } from '../ports/durable-run.js';
import type { JournalSession } from '../ports/run-journal.js';
import { EffectPendingError, type EffectPerformer } from './effect-performer.js';
import { runBatch } from './run-batch.js';

/** A durable run over a journal: what is recorded is given back, what is not is performed and recorded. */
export class JournaledRun implements DurableRun {
  readonly runId: string;
  readonly #known: KnownEffects;

  constructor(
    private readonly session: JournalSession,
    private readonly performer: EffectPerformer,
  ) {
    this.runId = session.runId;
    this.#known = knownEffects(session.records);
  }

  task<K extends EffectKind>(effect: Effect<K>): Promise<Performed<K>> {
    const recorded = this.#recorded(effect);
    if (recorded) return Promise.resolve(recorded);
    if (LEAVES_A_TRACE[effect.kind] && !this.#known.begun.has(effect.id)) {
      this.session.append({ type: 'intent', effects: [journaled(effect)] });
    }
    return this.#perform(effect);
  }

  all<K extends EffectKind>(
    effects: readonly Effect<K>[],
    options: BatchOptions<K>,
  ): Promise<readonly Performed<K>[]> {
    const fresh = effects.filter(({ id }) => !this.#known.begun.has(id) && !this.#known.outcomes.has(id));
    if (fresh.length > 0) this.session.append({ type: 'intent', effects: fresh.map(journaled) });
    return runBatch(effects, options, (effect) => {
      const recorded = this.#recorded(effect);
      options.onStart(effect, recorded !== undefined);
      if (!recorded) return this.#perform(effect, options.onEnd);
      options.onEnd(effect, recorded);
      return Promise.resolve(recorded);
    });
  }

  /**
   * An answer from before a crash is no answer to the question that the crash raised. A question that was never
   * answered still stands, by the same name: its answer may have been left meanwhile.
   */
  #freshId(id: string): string {
    let attempt = 1;
    while (this.#known.outcomes.has(`${id}-${attempt}`)) attempt += 1;
    return `${id}-${attempt}`;
  }

  #recorded<K extends EffectKind>(effect: Effect<K>): Performed<K> | undefined {
    const value = this.#known.outcomes.get(effect.id);
    return value === undefined ? undefined : { value: value as unknown as OutcomeOf<K>, replayed: true };
  }

  async #perform<K extends EffectKind>(
    effect: Effect<K>,
    onEnd?: BatchOptions<K>['onEnd'],
  ): Promise<Performed<K>> {
    const { id, kind } = effect;
    const value = await this.performer.perform(effect, {
      runId: this.runId,
      inDoubt: this.#known.begun.has(id),
      onProcess: (process) => void this.session.append({ type: 'process', id, ...process }),
      review: async (input) =>
        (await this.task({ id: this.#freshId(`${id}-review`), kind: 'review', input })).value,
    });
    if (value === undefined) throw new EffectPendingError(id);
    this.session.append({ type: 'outcome', id, kind, value: value as unknown as Json });
    const performed = { value, replayed: false };
    onEnd?.(effect, performed);
    return performed;
  }
}

/** Effects of which a crash must leave a trace; the others change nothing and cost nothing to repeat. */
const LEAVES_A_TRACE: Record<EffectKind, boolean> = {
  begin: false,
  turn: true,
  prepare: false,
  review: true,
  listen: true,
  summary: true,
  notice: false,
  call: true,
};

interface KnownEffects {
  readonly begun: ReadonlySet<string>;
  readonly outcomes: ReadonlyMap<string, Json>;
}

/** What a journal knows of effects. A signal named like an effect is that effect's outcome, given from outside. */
function knownEffects(records: readonly JournalRecord[]): KnownEffects {
  const begun = new Set<string>();
  const outcomes = new Map<string, Json>();
  for (const record of records) {
    if (record.type === 'intent') for (const { id } of record.effects) begun.add(id);
    else if (record.type === 'outcome') outcomes.set(record.id, record.value);
    // The first answer wins.
    else if (record.type === 'signal' && !outcomes.has(record.name))
      outcomes.set(record.name, record.payload);
  }
  return { begun, outcomes };
}

/** An effect as the journal keeps it: a turn's transcript is a fold over the records before it, so not again. */
function journaled<K extends EffectKind>(effect: Effect<K>): JournaledEffect {
  const { id, kind } = effect;
  const input = effect.input as InputOf<EffectKind>;
  if (!('messages' in input)) return effect as unknown as JournaledEffect;
  return { id, kind, input: { ...input, messages: input.messages.length } };
}
