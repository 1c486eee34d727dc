import { randomBytes } from 'node:crypto';
import { type ApprovalDecision, type ApprovalRequest, STOPPED_UNANSWERED } from '../../../domain/approval.js';
import type { ApprovalGate, ReviewContext } from '../../../ports/approval-gate.js';

/** A question that waits in the queue, under a name that nobody can guess. */
export interface QueuedQuestion {
  readonly id: string;
  readonly request: ApprovalRequest;
  readonly context: Omit<ReviewContext, 'signal'>;
  /** Milliseconds since 1970. */
  readonly askedAt: number;
}

/** A question that is over; what it was about is not kept, since that may be long. */
export interface SettledQuestion extends Omit<QueuedQuestion, 'request'> {
  readonly tool: string;
  /** Absent if it was answered elsewhere, or nobody needs an answer any more. */
  readonly decision: ApprovalDecision | undefined;
}

export type QueueEvent =
  | { readonly type: 'asked'; readonly question: QueuedQuestion }
  | { readonly type: 'settled'; readonly question: SettledQuestion };

/** What became of an answer. `late`: somebody else was first; `withdrawn`: nobody needs it any more. */
export type AnswerReceipt = 'accepted' | 'late' | 'withdrawn' | 'unknown-question' | 'other-plan';

interface Waiting extends QueuedQuestion {
  readonly settle: (decision: ApprovalDecision | undefined) => void;
}

/** So many questions that are over are remembered, to tell a late answer from a wrong one. */
const REMEMBERED = 1000;

/** Questions wait in a queue that others look at and answer; the first answer for the right plan counts. */
export class QueueApprovalGate implements ApprovalGate {
  readonly #waiting = new Map<string, Waiting>();
  readonly #settled = new Map<string, SettledQuestion>();
  readonly #listeners = new Set<(event: QueueEvent) => void>();

  constructor(private readonly now: () => number = Date.now) {}

  get waiting(): readonly QueuedQuestion[] {
    return [...this.#waiting.values()];
  }

  /** Those that are over, oldest first. */
  get settled(): readonly SettledQuestion[] {
    return [...this.#settled.values()];
  }

  find(id: string): QueuedQuestion | undefined {
    return this.#waiting.get(id);
  }

  async review(request: ApprovalRequest, { signal, ...context }: ReviewContext): Promise<ApprovalDecision> {
    if (signal.aborted) return STOPPED_UNANSWERED;
    return new Promise((resolve) => {
      const id = randomBytes(12).toString('base64url');
      const question = { id, request, context, askedAt: this.now() };
      const withdraw = (): void => settle(undefined);
      const settle = (decision: ApprovalDecision | undefined): void => {
        signal.removeEventListener('abort', withdraw);
        this.#remember({ id, context, askedAt: question.askedAt, tool: request.plan.tool, decision });
        resolve(decision ?? STOPPED_UNANSWERED);
      };
      signal.addEventListener('abort', withdraw, { once: true });
      this.#waiting.set(id, { ...question, settle });
      this.#tell({ type: 'asked', question });
    });
  }

  /** The answer counts only if it names the plan that the question is about. */
  answer(id: string, planHash: string, decision: ApprovalDecision): AnswerReceipt {
    const question = this.#waiting.get(id);
    if (!question) return this.receiptFor(id);
    if (question.request.planHash !== planHash) return 'other-plan';
    question.settle(decision);
    return 'accepted';
  }

  /** What becomes of an answer to a question that is not in the queue. */
  receiptFor(id: string): 'late' | 'withdrawn' | 'unknown-question' {
    const over = this.#settled.get(id);
    if (!over) return 'unknown-question';
    return over.decision ? 'late' : 'withdrawn';
  }

  /** Tells of all that happens from now on; gives back what ends the telling. */
  listen(listener: (event: QueueEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #remember(question: SettledQuestion): void {
    this.#waiting.delete(question.id);
    this.#settled.set(question.id, question);
    const [oldest] = this.#settled.keys();
    if (this.#settled.size > REMEMBERED && oldest !== undefined) this.#settled.delete(oldest);
    this.#tell({ type: 'settled', question });
  }

  #tell(event: QueueEvent): void {
    for (const listener of [...this.#listeners]) listener(event);
  }
}
