import type { ApprovalDecision, ApprovalRequest } from '../../../domain/approval.js';
import type { ApprovalGate, ReviewContext } from '../../../ports/approval-gate.js';
import type { ApprovalInbox } from '../../../ports/approval-inbox.js';

/** Takes an answer that was left for the question, before or while the next gate asks; the first answer counts. */
export class InboxApprovalGate implements ApprovalGate {
  constructor(
    private readonly inbox: ApprovalInbox,
    private readonly next: ApprovalGate,
  ) {}

  async review(request: ApprovalRequest, context: ReviewContext): Promise<ApprovalDecision> {
    const { runId, effectId } = context;
    const question = { runId, effectId, planHash: request.planHash };
    const left = await this.inbox.find(question);
    if (left) return left;
    const over = new AbortController();
    const signal = AbortSignal.any([context.signal, over.signal]);
    try {
      return await Promise.race([
        this.next.review(request, { ...context, signal }),
        this.inbox.wait(question, { signal }),
      ]);
    } finally {
      // Whoever did not answer is no longer asked.
      over.abort();
    }
  }
}
