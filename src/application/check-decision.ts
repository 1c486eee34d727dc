import type { ApprovalDecision, ApprovalScope, ApprovalSource } from '../domain/approval.js';
import { isJsonObject, isShallow } from '../domain/json.js';

type Approved = Extract<ApprovalDecision, { kind: 'approved' }>;

const SCOPES: ReadonlySet<unknown> = new Set<ApprovalScope>(['once', 'run', 'always']);
const SOURCES: ReadonlySet<unknown> = new Set<ApprovalSource>(['user', 'rule', 'remembered', 'flag']);

/**
 * What a gate answered, if it is an answer. A gate is anybody's program: `true`, `"yes"` or half a decision is no yes,
 * and no reason to end the run.
 */
export function checkDecision(answer: unknown): ApprovalDecision {
  const problem = problemOf(answer);
  if (problem === undefined) return answer as ApprovalDecision;
  return { kind: 'denied', reason: `whoever was asked gave an answer that is none: ${problem}` };
}

/** For whoever wrote the gate: which part of the answer is wrong, and what it should have been. */
function problemOf(answer: unknown): string | undefined {
  if (!isJsonObject(answer)) return 'it is no object';
  const { kind, reason, by } = answer;
  if (by !== undefined && typeof by !== 'string') return 'its `by` is not text';
  if (kind === 'approved') return approvalProblem(answer as Partial<Approved>);
  if (kind === 'denied' || kind === 'abort') {
    return typeof reason === 'string' ? undefined : 'its `reason` is not text';
  }
  return kind === 'pending' ? undefined : 'its `kind` is none of approved, denied, abort, pending';
}

function approvalProblem({
  planHash,
  scope,
  source,
  arguments: args,
  rule,
}: Partial<Approved>): string | undefined {
  if (typeof planHash !== 'string') return 'its `planHash` is not that of the request';
  if (!SCOPES.has(scope)) return `its \`scope\` is none of ${[...SCOPES].join(', ')}`;
  if (!SOURCES.has(source)) return `its \`source\` is none of ${[...SOURCES].join(', ')}`;
  if (args !== undefined && !isPlain(args)) return 'its `arguments` are no object, or nested too deep';
  if (rule === undefined || (isPlain(rule) && Object.keys(rule).length > 0)) return undefined;
  return 'its `rule` is no object, empty, or nested too deep';
}

function isPlain(value: unknown): boolean {
  return isJsonObject(value) && isShallow(value);
}
