import type { ApprovalDecision } from '../domain/approval.js';
import type { Effect } from '../domain/effect.js';
import { toFailure } from '../domain/errors.js';
import { LONGEST_TIMER_MS } from '../domain/longest-timer.js';
import type { ApprovalGate, ReviewContext } from '../ports/approval-gate.js';
import type { Clock } from '../ports/clock.js';
import { checkDecision } from './check-decision.js';
import type { StepSignal } from './step-signal.js';

/** Who is asked, and what may end the asking. */
export interface ReviewScope {
  readonly gate: ApprovalGate;
  readonly clock: Clock;
  readonly stepSignal: StepSignal;
  /** Fires when the open questions of the step are taken back. */
  readonly withdrawal: AbortSignal;
  readonly context: Omit<ReviewContext, 'signal' | 'deadline' | 'effectId' | 'callId'>;
}

/**
 * Puts one question to the gate, until it is answered or pointless. `undefined`: there is no answer yet. A gate that
 * breaks, is withdrawn or still waits when the time is up has not said yes.
 */
export async function reviewCall(
  { id: effectId, input }: Effect<'review'>,
  scope: ReviewScope,
): Promise<ApprovalDecision | undefined> {
  const { stepSignal } = scope;
  const { callId, deadline, ...request } = input;
  using until = new Until(scope, deadline);
  try {
    const asked = scope.gate.review(request, {
      ...scope.context,
      effectId,
      callId,
      signal: until.signal,
      ...(deadline === undefined ? {} : { deadline }),
    });
    const decision = checkDecision(await (until.isTooLate ? leftInTime(asked) : until.race(asked)));
    if (decision.kind === 'abort' && decision.interrupted) stepSignal.cancel(decision.reason);
    return decision.kind === 'pending' || stepSignal.isCancelled ? undefined : decision;
  } catch (error) {
    if (stepSignal.isCancelled) return undefined;
    return until.ending ?? { kind: 'denied', reason: `nobody could be asked: ${toFailure(error).message}` };
  }
}

/** An answer from before the time was over counts, also if it is looked for only now; nobody is asked any more. */
async function leftInTime(asked: Promise<ApprovalDecision>): Promise<ApprovalDecision> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const none = new Promise<ApprovalDecision>((resolve) => {
    timer = setTimeout(resolve, LOOK_MS, TIMED_OUT);
  });
  const answer = await Promise.race([asked, none]).finally(() => clearTimeout(timer));
  return answer.kind === 'denied' || answer.kind === 'pending' ? TIMED_OUT : answer;
}

/** How long looking for an answer may take that is there already. */
const LOOK_MS = 2_000;

/** How long a question stands. */
class Until implements Disposable {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  #timedOut = false;

  constructor(
    private readonly scope: ReviewScope,
    deadline: number | undefined,
  ) {
    // Not by listeners: of a hundred questions at once each would add one, and Node would warn of a leak.
    this.signal = AbortSignal.any([scope.stepSignal.signal, scope.withdrawal, this.#controller.signal]);
    if (deadline === undefined) return;
    const remaining = deadline - scope.clock.now();
    if (remaining <= 0) this.#timeOut();
    // A question that stands longer sees that its time is over when its run is resumed.
    else if (remaining <= LONGEST_TIMER_MS) this.#timer = setTimeout(() => this.#timeOut(), remaining);
  }

  /** Whether the time was over before anybody could be asked. */
  get isTooLate(): boolean {
    return this.#timedOut;
  }

  /** What the question came to, if it ended without an answer. */
  get ending(): ApprovalDecision | undefined {
    if (this.#timedOut) return TIMED_OUT;
    return this.scope.withdrawal.aborted ? WITHDRAWN : undefined;
  }

  race<T>(promise: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const onAbort = (): void => reject(this.signal.reason);
      if (this.signal.aborted) onAbort();
      this.signal.addEventListener('abort', onAbort, { once: true });
      promise.then(resolve, reject).finally(() => this.signal.removeEventListener('abort', onAbort));
    });
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  #timeOut(): void {
    this.#timedOut = true;
    this.#controller.abort(new Error(TIMED_OUT.reason));
  }
}

const WITHDRAWN: ApprovalDecision = {
  kind: 'denied',
  reason: 'the question was withdrawn before anybody answered',
};

const TIMED_OUT = {
  kind: 'denied',
  timedOut: true,
  reason: 'nobody answered in time (approval_timeout)',
} as const satisfies ApprovalDecision;
