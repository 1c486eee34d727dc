import { type ApprovalMode, type ApprovalPolicy, type ApprovalSource, stricter } from '../domain/approval.js';
import type { CallFacts } from '../domain/rules/call-facts.js';
import type { SchemaCheck } from '../domain/rules/compiled-rule.js';
import { RuleBook } from '../domain/rules/rule-book.js';
import { describeRule } from '../domain/rules/rule-text.js';
import type { Tool } from '../domain/tool.js';

export interface ApprovalVerdict {
  readonly mode: ApprovalMode;
  readonly source: ApprovalSource;
  /** Why, in words a person and a model can read. */
  readonly reason: string;
}

/** Read once for each policy: a policy is frozen, and lives as long as its tool. */
const books = new WeakMap<ApprovalPolicy, RuleBook>();

/** One call, as far as rules are concerned. */
interface Case {
  readonly facts: CallFacts;
  readonly fits: SchemaCheck;
}

/**
 * What happens to a call, by policy alone. The strictest rule that matches wins and the order of rules is for reading
 * only; the default applies when none matches. Where it cannot be told whether a rule that holds back matches, a person
 * is asked at least. `fits` tells whether arguments fit a schema.
 */
export function decideApproval(tool: Tool, policy: ApprovalPolicy, { facts, fits }: Case): ApprovalVerdict {
  if (policy.rules.length === 0) return byDefault(tool, policy);
  const { deny, prompt, auto, unsure } = bookOf(policy).match(facts, fits);
  const rule = deny ?? prompt ?? auto;
  const verdict = rule ? byRule(tool, rule.rule) : byDefault(tool, policy);
  if (!unsure || stricter(verdict.mode, 'prompt') === verdict.mode) return verdict;
  return { mode: 'prompt', source: 'none', reason: untoldReason(unsure.rule, facts) };
}

/** The deny that needs no plan: what is denied as it was written is not even looked up. */
export function denyUnplanned(
  tool: Tool,
  policy: ApprovalPolicy,
  { facts, fits }: Case,
): ApprovalVerdict | undefined {
  if (policy.rules.length === 0) return policy.default === 'deny' ? byDefault(tool, policy) : undefined;
  const { deny } = bookOf(policy).match(facts, fits);
  return deny && byRule(tool, deny.rule);
}

function bookOf(policy: ApprovalPolicy): RuleBook {
  const known = books.get(policy);
  if (known) return known;
  const book = new RuleBook(policy.rules);
  books.set(policy, book);
  return book;
}

function byRule({ name }: Tool, { mode, reason, when }: ApprovalPolicy['rules'][number]): ApprovalVerdict {
  const said = reason ?? `a rule of "${name}" says ${mode} when ${describeRule(when)}`;
  return { mode, source: mode === 'auto' ? 'rule' : 'none', reason: said };
}

/** What a tool says of itself may hold it back where nobody had this very tool in mind; it never lets a call run. */
function byDefault({ name, destructive }: Tool, { default: mode, shared }: ApprovalPolicy): ApprovalVerdict {
  if (mode === 'auto' && shared && destructive) {
    const reason = `"${name}" says that what it does cannot be taken back, and approval: auto was given to many tools at once`;
    return { mode: 'prompt', source: 'none', reason };
  }
  return { mode, source: mode === 'auto' ? 'auto' : 'none', reason: `"${name}" has approval: ${mode}` };
}

const OTHER_SPELLING = 'one of its options may be another spelling of what the rule names';

function untoldReason({ mode, when }: ApprovalPolicy['rules'][number], facts: CallFacts): string {
  const why = when.command && facts.commands ? (facts.unread ?? OTHER_SPELLING) : facts.untold;
  return `it cannot be told whether ${describeRule(when)}, which a rule would ${mode === 'deny' ? 'deny' : 'ask about'}: ${why}`;
}
