import type { ApprovalDecision, ApprovalRequest } from '../domain/approval.js';

/**
 * Asks whoever may decide. It answers for exactly the hash it was shown, and says no whenever it cannot ask:
 * no terminal, end of input, an error. It never hangs past its signal.
 */
export interface ApprovalGate {
  review(request: ApprovalRequest, context: ReviewContext): Promise<ApprovalDecision>;
}

export interface ReviewContext {
  readonly runId: string;
  /** The name of the question in the run's journal; an answer from outside is given to it. */
  readonly effectId: string;
  readonly step: string;
  readonly callId: string;
  /** Who wants to make the call: the name of the step's provider. */
  readonly agent: string;
  /** Fires when an answer has become pointless: the run is cancelled, or the time to answer is over. */
  readonly signal: AbortSignal;
  /** When the time to answer is over, in milliseconds since 1970; absent if there is all the time in the world. */
  readonly deadline?: number;
}
