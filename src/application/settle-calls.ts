import type { PreparedCall } from '../domain/effect.js';
import type { Failure } from '../domain/errors.js';
import { askAbout } from './ask-about.js';
import {
  type CallBatch,
  type PlacedCall,
  refused,
  type SettledCall,
  type Settling,
  toRun,
} from './call-batch.js';
import { EffectPendingError } from './effect-performer.js';

export interface SettledBatch {
  readonly settled: readonly SettledCall[];
  /** Set when a person, or a cancel, ended the step while calls were being decided. */
  readonly stop?: 'aborted' | 'cancelled';
}

/**
 * Decides every call of a batch. All questions are put at once, whoever answers them takes them as they like; no
 * call runs before the last is decided.
 */
export function settleCalls(
  batch: CallBatch,
  calls: readonly PreparedCall[],
): SettledBatch | Promise<SettledBatch> {
  const questions = new Questions(batch);
  const settling = calls.map((prepared, index): Settling | Promise<Settling> =>
    batch.isCancelled() ? 'cancelled' : settleCall(batch, { prepared, index }, questions),
  );
  // Most batches need nobody's word, and awaiting nothing keeps those cheap.
  if (!settling.some(isPending)) return settledBatch(settling as Settling[], calls);
  return questions.all(settling).then((answers) => settledBatch(answers, calls));
}

function settledBatch(answers: readonly Settling[], calls: readonly PreparedCall[]): SettledBatch {
  const stop = endOf(answers);
  if (!stop) return { settled: answers as readonly SettledCall[] };
  return { settled: withdrawn(answers, calls, stop), stop };
}

/** The open questions of a batch. */
class Questions {
  #last: Map<string, Promise<unknown>> | undefined;

  constructor(private readonly batch: CallBatch) {}

  /** Asks, but about equal calls one after the other: the answer to the first may hold for all. */
  put(planHash: string, ask: () => Settling | Promise<Settling>): Promise<Settling> {
    this.#last ??= new Map();
    const before = this.#last.get(planHash);
    const asked = before ? before.then(ask) : Promise.resolve(ask());
    // What goes wrong with the first question is no answer to the next.
    this.#last.set(
      planHash,
      asked.catch(() => undefined),
    );
    return asked;
  }

  /** Waits for all answers. Once one of them ends the step, nobody needs to give the others any more. */
  async all(settling: readonly (Settling | Promise<Settling>)[]): Promise<readonly Settling[]> {
    const ended = await Promise.allSettled(settling.map((one) => this.#watch(one)));
    const failures = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    const broken = failures.find((failure) => !(failure instanceof EffectPendingError));
    if (broken !== undefined) throw broken;
    const stop = endOf(ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
    // A call that waits for days is no reason to keep a step that somebody stopped.
    if (failures.length > 0 && !stop) throw failures[0];
    return ended.map((one) => (one.status === 'fulfilled' ? one.value : (stop ?? 'cancelled')));
  }

  async #watch(settling: Settling | Promise<Settling>): Promise<Settling> {
    try {
      const answer = await settling;
      if (answer === 'aborted') this.batch.withdrawReviews();
      return answer;
    } catch (error) {
      if (!(error instanceof EffectPendingError)) this.batch.withdrawReviews();
      throw error;
    }
  }
}

function isPending(settling: Settling | Promise<Settling>): boolean {
  return settling instanceof Promise;
}

function endOf(answers: readonly Settling[]): 'aborted' | 'cancelled' | undefined {
  if (answers.includes('aborted')) return 'aborted';
  return answers.includes('cancelled') ? 'cancelled' : undefined;
}

/** A person who aborts means the whole batch: what was already approved is not run either. */
function withdrawn(
  answers: readonly Settling[],
  calls: readonly PreparedCall[],
  stop: 'aborted' | 'cancelled',
): SettledCall[] {
  const failure: Failure = { code: 'EXECUTION.CALL.CANCELLED', message: `Not run: the run was ${stop}.` };
  return calls.map((prepared, index) => {
    const answer = answers[index];
    const isRefused = typeof answer === 'object' && answer.kind === 'refused';
    return isRefused ? answer : refused(prepared, failure);
  });
}

function settleCall(
  batch: CallBatch,
  { prepared, index }: PlacedCall,
  questions: Questions,
): Settling | Promise<Settling> {
  const barrier = barred(batch, index);
  if (barrier) return refused(prepared, barrier);
  if (prepared.verdict === 'refuse') return refused(prepared, prepared.failure);
  if (prepared.verdict === 'run') return toRun(batch, index, prepared);
  return questions.put(prepared.planHash, () =>
    batch.approvedPlans.has(prepared.planHash)
      ? toRun(batch, index, { ...prepared, approval: 'remembered' })
      : askAbout(batch, { prepared, index }),
  );
}

/** Calls that no decision can save: past the limit, or after a budget was spent. */
function barred(batch: CallBatch, index: number): Failure | undefined {
  if (batch.spent) {
    const message = `Not run: the step has reached its limit (${batch.spent}).`;
    return { code: 'EXECUTION.CALL.LIMIT_REACHED', message };
  }
  if (index < batch.runnable) return undefined;
  const message = `Not run: this step may make ${batch.limit} calls (max_calls), and they are used up.`;
  return { code: 'EXECUTION.CALL.MAX_CALLS', message };
}
