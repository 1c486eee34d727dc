import type { WaitingReview } from '../../../application/fold-run.js';
import type { ApprovalDecision } from '../../../domain/approval.js';
import { type ApprovalAnswer, answersTo, decisionOf } from '../../../domain/approval-answer.js';
import { ToolgateError } from '../../../domain/errors.js';
import { SHOWN_HASH } from './waiting-text.js';

/** The decision that flags make about a question. An allow is for the plan that they name, or none at all. */
export function decide(
  answer: ApprovalAnswer,
  { planHash, reason, plan: planned, callId }: WaitingReview,
  { plan, by }: { readonly plan?: string; readonly by: string },
): ApprovalDecision {
  if (plan !== undefined && !names(plan, planHash)) {
    const message = `--plan ${plan} is not what "${callId}" would do. Look at it again: --show`;
    throw new ToolgateError('USER.APPROVAL.STALE', message);
  }
  const answers = answersTo({ reason, plan: planned });
  if (!answers.includes(answer.answer)) {
    const message = `"${callId}" cannot be answered with ${answer.answer}, only with ${answers.join(', ')}`;
    throw new ToolgateError('USER.ARGUMENT.INVALID', message);
  }
  return decisionOf(answer, { planHash, by });
}

function names(plan: string, planHash: string): boolean {
  return plan.length >= SHOWN_HASH && planHash.startsWith(plan.toLowerCase());
}

/** What stands for a secret in the record of a run. */
const SECRET = /\[secret (?:inputs|env)\./;

/** Arguments that were edited from the record have a name where the run has the secret itself. */
export function assertKnowsSecrets(decision: ApprovalDecision): void {
  if (decision.kind !== 'approved' || !decision.arguments) return;
  if (!SECRET.test(JSON.stringify(decision.arguments))) return;
  const message =
    'These arguments hold a secret, which the record does not: write its value, or change them where the run itself asks';
  throw new ToolgateError('USER.ARGUMENT.INVALID', message);
}
