import type { RuleCondition } from '../../domain/approval.js';
import type { CallPlan } from '../../domain/plan.js';
import { factsOf } from '../../domain/rules/call-facts.js';
import type { SchemaCheck } from '../../domain/rules/compiled-rule.js';
import { RuleBook } from '../../domain/rules/rule-book.js';

/** What rules that were given beforehand are read with. */
export interface RuleContext {
  /** What relative patterns start from; without one they fit nothing. */
  readonly workspace?: string;
  readonly fits: SchemaCheck;
}

/** Whether rules let a call run as rules of a policy would: every command of a compound needs one of them. */
export function fitsRules(
  plan: CallPlan,
  rules: readonly RuleCondition[],
  { workspace, fits }: RuleContext,
): boolean {
  if (rules.length === 0) return false;
  const book = new RuleBook(rules.map((when) => ({ mode: 'auto', when })));
  return book.match(factsOf(plan, workspace), fits).auto !== undefined;
}
