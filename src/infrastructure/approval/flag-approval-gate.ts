import type { ApprovalDecision, ApprovalRequest, ApprovedTool } from '../../domain/approval.js';
import type { CallPlan } from '../../domain/plan.js';
import type { ApprovalGate, ReviewContext } from '../../ports/approval-gate.js';
import { fitsRules, type RuleContext } from './fits-rules.js';

export interface FlagApprovalGateOptions extends RuleContext {
  /** `--yes`: every prompt of a policy. */
  readonly yes: boolean;
  /** `--approve TOOL[=RULE]`: the prompts of these tools. */
  readonly tools: readonly ApprovedTool[];
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
    const { plan, planHash, reason } = request;
    const isAnswered = reason.kind === 'policy' && this.#isApproved(plan);
    if (!isAnswered || context.signal.aborted) return this.options.next.review(request, context);
    return { kind: 'approved', planHash, scope: 'once', source: 'flag' };
  }

  #isApproved(plan: CallPlan): boolean {
    const { yes, tools } = this.options;
    const given = tools.filter(({ tool }) => tool === plan.tool);
    if (yes || given.some(({ rule }) => rule === undefined)) return true;
    return fitsRules(
      plan,
      given.flatMap(({ rule }) => rule ?? []),
      this.options,
    );
  }
}
