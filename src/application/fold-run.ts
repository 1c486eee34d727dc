import type { ReviewInput } from '../domain/effect.js';
import type { JournaledEffect, JournalRecord, RunStatus } from '../domain/journal.js';
import type { StartedProcess } from '../ports/sandbox.js';

type RecordOf<T extends JournalRecord['type']> = Extract<JournalRecord, { type: T }>;

/** An approval that was asked for and not answered, and its place in the record. */
export interface WaitingReview extends ReviewInput {
  readonly effectId: string;
}

/** What a run's records say of it: who began it, what is done, what hangs in the air. */
export interface RunFacts {
  readonly started: RecordOf<'run-started'> | undefined;
  /** Absent while it runs, and again once it was resumed. */
  readonly ended: RunStatus | undefined;
  readonly currentStep: string | undefined;
  readonly calls: number;
  readonly lastAt: number;
  /** Approvals that were asked for and not answered. */
  readonly waiting: readonly WaitingReview[];
  /** Calls that began and whose outcome nobody knows. */
  readonly inDoubt: readonly string[];
  /** Processes that calls without an outcome have started. */
  readonly processes: readonly (StartedProcess & { readonly id: string })[];
}

/** Folds a run's records into the facts. */
export function foldRun(records: readonly JournalRecord[]): RunFacts {
  const open = openEffects(records);
  const isOf = of(records);
  const last = records.findLast(({ type }) => type === 'run-ended' || type === 'run-resumed');
  const ended = last?.type === 'run-ended' ? last.status : undefined;
  return {
    started: isOf('run-started')[0],
    ended,
    currentStep: isOf('step-started').at(-1)?.step,
    calls: isOf('outcome').filter(({ kind }) => kind === 'call').length,
    lastAt: records.at(-1)?.at ?? 0,
    // Whoever stops a run leaves questions open that nobody needs an answer to.
    waiting: ended === 'success' || ended === 'failure' ? [] : open.filter(isReview).map(waitingReview),
    inDoubt: open.filter(({ kind }) => kind === 'call').map(({ id }) => id),
    processes: isOf('process')
      .filter(({ id }) => open.some((effect) => effect.id === id))
      .map(({ id, pid, startTime, home }) => ({ id, pid, startTime, ...(home ? { home } : {}) })),
  };
}

function isReview({ kind }: JournaledEffect): boolean {
  return kind === 'review';
}

function waitingReview({ id, input }: JournaledEffect): WaitingReview {
  return { ...(input as unknown as ReviewInput), effectId: id };
}

/** Effects that were announced and have no outcome, from within or by a signal. */
function openEffects(records: readonly JournalRecord[]): readonly JournaledEffect[] {
  const open = new Map<string, JournaledEffect>();
  for (const record of records) {
    if (record.type === 'intent') for (const effect of record.effects) open.set(effect.id, effect);
    else if (record.type === 'outcome') open.delete(record.id);
    else if (record.type === 'signal') open.delete(record.name);
  }
  return [...open.values()];
}

function of(records: readonly JournalRecord[]) {
  return <T extends JournalRecord['type']>(type: T): RecordOf<T>[] =>
    records.filter((record): record is RecordOf<T> => record.type === type);
}
