import type { ApprovalDecision, ApprovalRequest } from '../domain/approval.js';

/**
 * Asks whoever may decide. It answers for exactly the hash it was shown, and says no whenever it cannot ask:
 * no terminal, end of input, an error. It never hangs past its signal.
 */
export interface ApprovalGate {
  review(request: ApprovalRequest, context: ReviewContext): Promise<ApprovalDecision>;
}

export interface ReviewContext {
  readonly step: string;
  readonly callId: string;
  readonly signal: AbortSignal;
}
