import type { ErrorCode } from './errors.js';
import type { JsonObject, JsonSchema } from './json.js';
import type { CallPlan } from './plan.js';

/** What happens to a call before it runs. Ordered: the stricter one wins. */
export type ApprovalMode = 'auto' | 'prompt' | 'deny';

/** Who let a call run, as the state records it. */
export type ApprovalSource = 'auto' | 'user' | 'rule' | 'remembered' | 'flag' | 'none';

/** When a rule speaks for a call: all that is written must hold, and a condition with nothing in it never does. */
export interface RuleCondition {
  /** A program and its first arguments: `[git, status]` speaks of `git status -s`. */
  readonly command?: readonly string[];
  /** Globs, one of which the planned path must fit. */
  readonly paths?: readonly string[];
  readonly hosts?: readonly string[];
  readonly methods?: readonly string[];
  /** A JSON Schema that the arguments must fit. */
  readonly arguments?: JsonSchema;
}

/** One rule of a policy: what happens to the calls it speaks for. */
export interface ApprovalRule {
  readonly mode: ApprovalMode;
  readonly when: RuleCondition;
  /** Read by the person who is asked, or by the agent that is denied. */
  readonly reason?: string;
  /** Calls that it speaks for, and calls that it must not: checked when the file loads. */
  readonly match?: readonly RuleExample[];
  readonly notMatch?: readonly RuleExample[];
}

/** A command line, a path or a URL, as fits the tool; or arguments. */
export type RuleExample = string | JsonObject;

/** A tool whose prompts were answered with yes beforehand: all of them, or those that the rule speaks for. */
export interface ApprovedTool {
  readonly tool: string;
  readonly rule?: RuleCondition;
}

/** A rule that a person gave for the rest of a run. */
export interface RunRule {
  readonly tool: string;
  readonly rule: RuleCondition;
}

/** How a tool's calls are approved. The default applies when no rule matches. */
export interface ApprovalPolicy {
  readonly default: ApprovalMode;
  readonly rules: readonly ApprovalRule[];
  /** Written for many tools at once: then one that says of itself that it destroys is asked about all the same. */
  readonly shared?: boolean;
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

/** How long an approval holds: for this call, for this run, or for every run in this workspace until it is revoked. */
export type ApprovalScope = 'once' | 'run' | 'always';

/** What a person, a rule or a flag answered. Anything but `approved` for the same hash is a no. */
export type ApprovalDecision =
  | {
      readonly kind: 'approved';
      readonly planHash: string;
      readonly scope: ApprovalScope;
      readonly source: Exclude<ApprovalSource, 'none' | 'auto'>;
      /** With `run` and `always`: holds for every call of the tool that fits; without it, for this very plan only. */
      readonly rule?: RuleCondition;
      /** Who answered, where that is known. */
      readonly by?: string;
      /** Arguments the person changed; they are validated, planned and decided again. */
      readonly arguments?: JsonObject;
    }
  | {
      readonly kind: 'denied';
      readonly reason: string;
      readonly by?: string;
      /** Nobody said no: nobody could be asked. */
      readonly unavailable?: boolean;
      /** Nobody said no: nobody answered within `approval_timeout`. */
      readonly timedOut?: boolean;
    }
  /** `interrupted`: Ctrl-C rather than an answer; the run is cancelled and the question stays open. */
  | {
      readonly kind: 'abort';
      readonly reason: string;
      readonly by?: string;
      readonly interrupted?: boolean;
    }
  | { readonly kind: 'pending' };

/** What a gate answers once its signal has fired: nobody needs the answer any more, and it is no yes. */
export const STOPPED_UNANSWERED: ApprovalDecision = Object.freeze({
  kind: 'denied',
  reason: 'the run was stopped before anybody answered',
});

/** What a call that was denied fails with: whether somebody said no, or nobody could or did. */
export function deniedCode({
  unavailable,
  timedOut,
}: Extract<ApprovalDecision, { kind: 'denied' }>): Extract<ErrorCode, `EXECUTION.APPROVAL.${string}`> {
  if (timedOut) return 'EXECUTION.APPROVAL.TIMED_OUT';
  return unavailable ? 'EXECUTION.APPROVAL.UNAVAILABLE' : 'EXECUTION.APPROVAL.DENIED';
}

const STRICTNESS: Record<ApprovalMode, number> = { auto: 0, prompt: 1, deny: 2 };

/** The stricter of two modes. */
export function stricter(left: ApprovalMode, right: ApprovalMode): ApprovalMode {
  return STRICTNESS[left] >= STRICTNESS[right] ? left : right;
}
