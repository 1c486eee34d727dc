import type { ApprovalDecision } from '../domain/approval.js';

/** A question as others can name it. The hash is part of the name: an answer to another plan is to another question. */
export interface QuestionName {
  readonly runId: string;
  /** The question's place in the run's journal. */
  readonly effectId: string;
  readonly planHash: string;
}

/**
 * Where answers are left for a run by whoever is not its process, while it runs or before it is resumed. An answer is
 * there whole or not at all, the first one stays, and it is never taken away: what was answered is evidence.
 */
export interface ApprovalInbox {
  /** `taken`: somebody has left an answer before, and that one counts. */
  leave(question: QuestionName, decision: ApprovalDecision): Promise<'left' | 'taken'>;
  /** The answer that was left, if there is one. */
  find(question: QuestionName): Promise<ApprovalDecision | undefined>;
  /** Waits for an answer, for as long as the signal lasts: after that it is never settled. */
  wait(question: QuestionName, context: { readonly signal: AbortSignal }): Promise<ApprovalDecision>;
}
