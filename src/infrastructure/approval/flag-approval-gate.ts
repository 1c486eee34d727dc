import type { ApprovalDecision, ApprovalRequest } from '../../domain/approval.js';
import type { ApprovalGate, ReviewContext } from '../../ports/approval-gate.js';

export interface FlagApprovalGateOptions {
  /** `--yes`: every prompt of a policy. */
  readonly yes: boolean;
  /** `--approve TOOL`: the prompts of these tools. */
  readonly tools: readonly string[];
  /** Asked what the flags do not answer. */
  readonly next: ApprovalGate;
}

/**
 * Answers prompts for whoever said so when starting the run. A call in doubt, and a tool that nothing confines,
 * are other questions than the one the flags answered; they go on to the next gate.
 */
export class FlagApprovalGate implements ApprovalGate {
  constructor(private readonly options: FlagApprovalGateOptions) {}

  async review(request: ApprovalRequest, context: ReviewContext): Promise<ApprovalDecision> {
    const { yes, tools, next } = this.options;
    const { plan, planHash, reason } = request;
    const isAnswered = reason.kind === 'policy' && (yes || tools.includes(plan.tool));
    if (!isAnswered || context.signal.aborted) return next.review(request, context);
    return { kind: 'approved', planHash, scope: 'once', source: 'flag' };
  }
}
