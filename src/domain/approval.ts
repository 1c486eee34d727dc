import type { JsonObject } from './json.js';
import type { CallPlan } from './plan.js';

/** What happens to a call before it runs. Ordered: the stricter one wins. */
export type ApprovalMode = 'auto' | 'prompt' | 'deny';

/** Who let a call run, as the state records it. */
export type ApprovalSource = 'auto' | 'user' | 'rule' | 'remembered' | 'flag' | 'none';

/** One rule over a call's arguments: a JSON Schema that the arguments must fit for the rule to speak. */
export interface ApprovalRule {
  readonly mode: ApprovalMode;
  readonly when: JsonObject;
  readonly reason?: string;
}

/** How a tool's calls are approved. The default applies when no rule matches. */
export interface ApprovalPolicy {
  readonly default: ApprovalMode;
  readonly rules: readonly ApprovalRule[];
}

/** What a tool without an `approval:` gets: a person is asked. */
export const ASK_ALWAYS: ApprovalPolicy = Object.freeze({ default: 'prompt', rules: Object.freeze([]) });

/** Why a person is asked. */
export type ReviewReason =
  /** The tool's policy says so. */
  | { readonly kind: 'policy'; readonly text: string }
  /** The process died after this call began and before its outcome was known; yes means: run it again. */
  | { readonly kind: 'in-doubt'; readonly text: string }
  /** The kernel layer is missing here and the workflow says `on_unavailable: prompt`. */
  | { readonly kind: 'unavailable'; readonly text: string };

/** What the gate is asked. The hash names exactly the plan that is shown. */
export interface ApprovalRequest {
  readonly plan: CallPlan;
  readonly planHash: string;
  readonly reason: ReviewReason;
}

/** How long an approval holds: this call, or every call of this run with the very same plan. */
export type ApprovalScope = 'once' | 'run' | 'always';

/** What a person, a rule or a flag answered. Anything but `approved` for the same hash is a no. */
export type ApprovalDecision =
  | {
      readonly kind: 'approved';
      readonly planHash: string;
      readonly scope: ApprovalScope;
      readonly source: Exclude<ApprovalSource, 'none' | 'auto'>;
      /** Arguments the person changed; they are validated, planned and decided again. */
      readonly arguments?: JsonObject;
    }
  | { readonly kind: 'denied'; readonly reason: string; readonly unavailable?: boolean }
  /** `interrupted`: Ctrl-C rather than an answer; the run is cancelled and the question stays open. */
  | { readonly kind: 'abort'; readonly reason: string; readonly interrupted?: boolean }
  | { readonly kind: 'pending' };

const STRICTNESS: Record<ApprovalMode, number> = { auto: 0, prompt: 1, deny: 2 };

/** The stricter of two modes. */
export function stricter(left: ApprovalMode, right: ApprovalMode): ApprovalMode {
  return STRICTNESS[left] >= STRICTNESS[right] ? left : right;
}
