import {
  type ApprovalMode,
  type ApprovalPolicy,
  type ApprovalRule,
  ASK_ALWAYS,
} from '../../domain/approval.js';
import { isJsonObject, type JsonSchema } from '../../domain/json.js';
import { checkJsonSchema } from './check-json-schema.js';
import { didYouMean } from './suggest.js';
import type { YamlValue } from './yaml-value.js';

/** A tool's approval: a mode, or a default and rules. Without one, a person is asked. */
export function buildApproval(approval: YamlValue, parameters: JsonSchema | undefined): ApprovalPolicy {
  const mode = modeOf(approval);
  if (mode) return { default: mode, rules: [] };
  const rules = approval.get('rules').items();
  return {
    default: modeOf(approval.get('default')) ?? ASK_ALWAYS.default,
    rules: rules.map((rule) => buildRule(rule, parameters)),
  };
}

/** A rule that names an argument speaks only of calls that have it: absence must never pass for a match. */
function buildRule(rule: YamlValue, parameters: JsonSchema | undefined): ApprovalRule {
  const when = rule.get('when');
  const names = when.entries().map(([name]) => name);
  for (const [name, schema] of when.entries()) {
    checkJsonSchema(schema);
    checkArgument(name, schema, parameters);
  }
  const reason = rule.get('reason').text();
  return {
    mode: buildMode(rule),
    when: {
      type: 'object',
      properties: isJsonObject(when.raw) ? when.raw : {},
      required: names,
    },
    ...(reason === undefined ? {} : { reason }),
  };
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

/** A rule about an argument that no call can have would never speak, and nobody would know. */
function checkArgument(name: string, schema: YamlValue, parameters: JsonSchema | undefined): void {
  if (parameters?.additionalProperties !== false) return;
  const known = isJsonObject(parameters.properties) ? Object.keys(parameters.properties) : [];
  if (known.includes(name)) return;
  schema.report(
    {
      code: 'WORKFLOW.VALIDATION.SCHEMA',
      message: `the tool has no parameter \`${name}\`, so this rule would never match`,
      suggestion: () => didYouMean(name, known, 'its parameters'),
    },
    'key',
  );
}

function modeOf(value: YamlValue): ApprovalMode | undefined {
  const { raw } = value;
  return raw === 'auto' || raw === 'prompt' || raw === 'deny' ? raw : undefined;
}
