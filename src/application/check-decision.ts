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
  return isDecision(answer) ? answer : NOT_UNDERSTOOD;
}

const NOT_UNDERSTOOD: ApprovalDecision = {
  kind: 'denied',
  reason: 'whoever was asked gave an answer that is none',
};

function isDecision(answer: unknown): answer is ApprovalDecision {
  if (!isJsonObject(answer)) return false;
  const { kind, reason, by } = answer;
  if (by !== undefined && typeof by !== 'string') return false;
  if (kind === 'approved') return isApproval(answer as Partial<Approved>);
  if (kind === 'denied' || kind === 'abort') return typeof reason === 'string';
  return kind === 'pending';
}

function isApproval({ planHash, scope, source, arguments: args, rule }: Partial<Approved>): boolean {
  const isEdit = args === undefined || (isJsonObject(args) && isShallow(args));
  const isRule =
    rule === undefined || (isJsonObject(rule) && isShallow(rule) && Object.keys(rule).length > 0);
  return typeof planHash === 'string' && SCOPES.has(scope) && SOURCES.has(source) && isEdit && isRule;
}
