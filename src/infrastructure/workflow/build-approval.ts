import {
  type ApprovalMode,
  type ApprovalPolicy,
  type ApprovalRule,
  ASK_ALWAYS,
  type RuleExample,
} from '../../domain/approval.js';
import { isJsonObject } from '../../domain/json.js';
import { buildCondition, type RuleScope } from './build-condition.js';
import { checkExamples } from './check-examples.js';
import { withoutMissing } from './without-missing.js';
import type { YamlValue } from './yaml-value.js';

/** A tool's approval: a mode, or a default and rules. Without one, a person is asked. */
export function buildApproval(approval: YamlValue, scope: RuleScope): ApprovalPolicy {
  const mode = modeOf(approval);
  if (mode) return { default: mode, rules: [] };
  const rules = approval.get('rules').items();
  return {
    default: modeOf(approval.get('default')) ?? ASK_ALWAYS.default,
    rules: rules.map((rule) => buildRule(rule, scope)),
  };
}

function buildRule(value: YamlValue, scope: RuleScope): ApprovalRule {
  const mode = buildMode(value);
  const built: ApprovalRule = withoutMissing({
    mode,
    when: buildCondition(value, mode, scope),
    reason: value.get('reason').text(),
    match: examplesOf(value.get('match')),
    notMatch: examplesOf(value.get('not_match')),
  });
  checkExamples(value, built, scope.subject);
  return built;
}

function examplesOf(list: YamlValue): readonly RuleExample[] | undefined {
  if (!list.isPresent) return undefined;
  return list.items().flatMap(({ raw }) => (typeof raw === 'string' || isJsonObject(raw) ? [raw] : []));
}

function buildMode(rule: YamlValue): ApprovalMode {
  const [mode, approval] = [rule.get('mode'), rule.get('approval')];
  if (mode.isPresent === approval.isPresent && isJsonObject(rule.raw)) {
    rule.report({
      code: 'WORKFLOW.VALIDATION.SCHEMA',
      message: mode.isPresent
        ? `${rule.path} has both \`mode\` and \`approval\`, which mean the same`
        : `${rule.path} needs \`mode\`: auto, prompt or deny`,
    });
  }
  return modeOf(mode) ?? modeOf(approval) ?? 'deny';
}

function modeOf(value: YamlValue): ApprovalMode | undefined {
  const { raw } = value;
  return raw === 'auto' || raw === 'prompt' || raw === 'deny' ? raw : undefined;
}
