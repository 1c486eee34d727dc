import { type ApprovalMode, type ApprovalPolicy, type ApprovalSource, stricter } from '../domain/approval.js';
import type { Tool } from '../domain/tool.js';

export interface ApprovalVerdict {
  readonly mode: ApprovalMode;
  readonly source: ApprovalSource;
  /** Why, in words a person and a model can read. */
  readonly reason: string;
}

/**
 * What happens to a call, by policy alone. The strictest matching rule wins and the order of rules is for
 * reading only; the default applies when none matches. `matches` tells whether a rule speaks for this call.
 */
export function decideApproval(
  tool: Tool,
  policy: ApprovalPolicy,
  matches: (when: ApprovalPolicy['rules'][number]['when']) => boolean,
): ApprovalVerdict {
  const matching = policy.rules.filter((rule) => matches(rule.when));
  if (matching.length === 0) return byDefault(tool, policy.default);
  const mode = matching.map((rule) => rule.mode).reduce(stricter);
  const deciding = matching.find((rule) => rule.mode === mode);
  return {
    mode,
    source: mode === 'auto' ? 'rule' : 'none',
    reason: deciding?.reason ?? `a rule of "${tool.name}" says ${mode}`,
  };
}

function byDefault(tool: Tool, mode: ApprovalMode): ApprovalVerdict {
  return { mode, source: mode === 'auto' ? 'auto' : 'none', reason: `"${tool.name}" has approval: ${mode}` };
}
