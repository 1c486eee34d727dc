import type { ApprovalDecision, ApprovalRequest, ApprovalScope, RuleCondition } from './approval.js';
import type { JsonObject } from './json.js';
import { whyNotLasting } from './rules/lasting-answer.js';

/** What a person can answer, as they say it: on a page, in an API, with flags. */
export type ApprovalAnswer =
  | { readonly answer: ApprovalScope; readonly rule?: RuleCondition }
  | { readonly answer: 'edit'; readonly arguments: JsonObject }
  | { readonly answer: 'deny' | 'abort'; readonly reason?: string };

export type AnswerName = ApprovalAnswer['answer'];

export interface AnsweredQuestion {
  readonly planHash: string;
  /** Who answered, where that is known. */
  readonly by?: string;
}

/** The decision that an answer is. It is for the plan that was shown, whatever is planned by now. */
export function decisionOf(answer: ApprovalAnswer, { planHash, by }: AnsweredQuestion): ApprovalDecision {
  const who = by === undefined ? {} : { by };
  switch (answer.answer) {
    case 'once':
    case 'run':
    case 'always': {
      const { answer: scope, rule } = answer;
      return { kind: 'approved', planHash, scope, source: 'user', ...(rule ? { rule } : {}), ...who };
    }
    case 'edit': {
      const { arguments: args } = answer;
      return { kind: 'approved', planHash, scope: 'once', source: 'user', arguments: args, ...who };
    }
    case 'deny':
      return { kind: 'denied', reason: answer.reason ?? 'the person who was asked said no', ...who };
    case 'abort':
      return { kind: 'abort', reason: answer.reason ?? 'the person who was asked stopped the run', ...who };
    default:
      throw answer satisfies never;
  }
}

/**
 * The answers that a question has. Whether to run a call again, or without the kernel's protection, is decided for
 * this one call only; so is a command whose words may mean something else the next time.
 */
export function answersTo({ reason, plan }: Pick<ApprovalRequest, 'reason' | 'plan'>): readonly AnswerName[] {
  if (reason.kind !== 'policy') return ['once', 'deny', 'abort'];
  const lasting: readonly AnswerName[] = whyNotLasting(plan) === undefined ? ['run', 'always'] : [];
  return ['once', ...lasting, 'edit', 'deny', 'abort'];
}
