import { type ApprovalMode, type ApprovalPolicy, stricter } from '../approval.js';
import { factsOf } from './call-facts.js';
import { RuleBook } from './rule-book.js';

export interface Detour {
  readonly method: string;
  /** What was approved. */
  readonly from: string;
  /** Where it leads now. */
  readonly to: string;
}

/**
 * Why a request that was let through must not go on to another host; undefined if it may. What rules say of that host
 * must be no stricter than what they say of the first: else a redirect would be a way around them.
 */
export function otherHostProblem(policy: ApprovalPolicy, { method, from, to }: Detour): string | undefined {
  const { rules } = policy;
  if (!rules.some(({ when }) => when.hosts) || isSameHost(from, to)) return undefined;
  const first = modeOf(policy, rules, { method, url: from });
  // Whether the arguments would fit is not known for the second: only what holds back counts without them.
  const sure = rules.filter(({ mode, when }) => mode !== 'auto' || !when.arguments);
  const second = modeOf(policy, sure, { method, url: to });
  if (stricter(first, second) === first) return undefined;
  const said = second === 'deny' ? 'deny it' : 'want it asked about';
  return `the rules of its approval ${said}; request it by itself`;
}

function isSameHost(from: string, to: string): boolean {
  return URL.canParse(from) && URL.canParse(to) && new URL(from).host === new URL(to).host;
}

function modeOf(
  policy: ApprovalPolicy,
  rules: ApprovalPolicy['rules'],
  request: { readonly method: string; readonly url: string },
): ApprovalMode {
  const facts = factsOf({ tool: '', arguments: {}, action: { kind: 'http', ...request } });
  const { deny, prompt, auto } = new RuleBook(rules).match(facts, () => true);
  return (deny ?? prompt ?? auto)?.rule.mode ?? policy.default;
}
