import type { ApprovalRequest } from '../../../../src/domain/approval.js';
import type { Failure } from '../../../../src/domain/errors.js';
import type { CallRecord } from '../../../../src/domain/step-state.js';
import type { ProcessPlan } from '../../../../src/ports/sandbox.js';
import type { HeldBy } from './workflow-of.js';

/** What the calls of an attack came to. */
export interface Played {
  readonly calls: readonly CallRecord[];
  readonly performed: readonly string[];
  readonly injected?: string;
}

/** Everything that can be known of an attack once it is over. */
export interface Evidence {
  readonly heldBy: HeldBy;
  /** Why it never came to a call: the workflow was not loaded, or the run not begun. */
  readonly failure?: Failure;
  /** Every call of the attack with its answer. */
  readonly calls: readonly CallRecord[];
  /** Ids of the calls that were run, whatever came of them. */
  readonly performed: readonly string[];
  readonly asked: readonly ApprovalRequest[];
  readonly started: readonly ProcessPlan[];
  readonly screen: string;
  /** The audit trail as it stands on disk. */
  readonly trail: string;
  /** What the agent read of its results, in words of the text protocol. */
  readonly injected: string;
  readonly connections: readonly string[];
  /** Paths outside of the workspace that are not as they were. */
  readonly harm: readonly string[];
  readonly survivors: readonly string[];
  readonly ms: number;
  /** How far this process grew, and the most that the attack's processes held, in MB. */
  readonly grownMb: number;
  readonly treeMb: number;
}

/** The answer that the attack itself got: calls before it were only the way there. */
export function lastCall({ calls }: Evidence): CallRecord | undefined {
  return calls.at(-1);
}

/** What went wrong, wherever it did. */
export function failureOf(evidence: Evidence): Failure | undefined {
  return evidence.failure ?? lastCall(evidence)?.result.error;
}

/** Everything that the agent, or whoever reads its results, got to see. */
export function toldText({ calls, failure, injected }: Evidence): string {
  const results = calls.map(({ result }) => [result.output, result.error?.message, result.data]);
  return `${JSON.stringify([results, failure])}\n${calls.map(({ result }) => result.output).join('\n')}\n${injected}`;
}

/** Codes by which the gate says no by itself, as opposed to a tool that was run and failed. */
const REFUSALS: readonly RegExp[] = [
  /^EXECUTION\.(?:SANDBOX|APPROVAL)\./,
  /^EXECUTION\.CALL\.(?:INVALID_ARGUMENTS|INCOMPLETE|UNKNOWN_TOOL|MAX_CALLS)$/,
  /^(?:WORKFLOW|USER)\./,
  /^SYSTEM\.(?:AUDIT|JOURNAL)\.UNWRITABLE$/,
];

/** Whether the gate itself said no. */
export function isRefused(evidence: Evidence): boolean {
  const code = failureOf(evidence)?.code;
  return code !== undefined && REFUSALS.some((refusal) => refusal.test(code));
}
