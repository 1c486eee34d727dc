import { type ApprovalDecision, type ApprovalRequest, STOPPED_UNANSWERED } from '../../domain/approval.js';
import type { ApprovalGate, ReviewContext } from '../../ports/approval-gate.js';

/** Puts questions one after the other, so that what the first answer says for later calls holds for the second. */
export class OneAtATimeGate implements ApprovalGate {
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly next: ApprovalGate) {}

  review(request: ApprovalRequest, context: ReviewContext): Promise<ApprovalDecision> {
    const { signal } = context;
    const asked = this.#last.then(() =>
      signal.aborted ? STOPPED_UNANSWERED : this.next.review(request, context),
    );
    this.#last = asked.catch(() => undefined);
    return untilAborted(asked, signal);
  }
}

/** A question that waits behind another one must not outlive its own signal. */
async function untilAborted(
  asked: Promise<ApprovalDecision>,
  signal: AbortSignal,
): Promise<ApprovalDecision> {
  let onAbort = () => {};
  const aborted = new Promise<ApprovalDecision>((resolve) => {
    onAbort = () => resolve(STOPPED_UNANSWERED);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    // Whoever is asked may have something to say about the end of it, such as Ctrl-C.
    return await Promise.race([asked, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
