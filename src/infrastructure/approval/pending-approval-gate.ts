import { type ApprovalDecision, type ApprovalRequest, STOPPED_UNANSWERED } from '../../domain/approval.js';
import type { ApprovalGate, ReviewContext } from '../../ports/approval-gate.js';

/** Leaves open what nobody can be asked now: the run is suspended, and the answer comes before it is resumed. */
export class PendingApprovalGate implements ApprovalGate {
  /** Without somebody to ask first, every question is left open. */
  constructor(private readonly first?: ApprovalGate) {}

  async review(request: ApprovalRequest, context: ReviewContext): Promise<ApprovalDecision> {
    if (context.signal.aborted) return STOPPED_UNANSWERED;
    const decision = await this.first?.review(request, context);
    const isAnswer = decision && !(decision.kind === 'denied' && decision.unavailable);
    return isAnswer ? decision : { kind: 'pending' };
  }
}
