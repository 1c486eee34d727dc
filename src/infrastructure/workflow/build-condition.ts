import type { ApprovalMode, RuleCondition } from '../../domain/approval.js';
import { messageOf } from '../../domain/errors.js';
import { isJsonObject, type JsonSchema } from '../../domain/json.js';
import { checkWords, readCommandText } from '../../domain/rules/command-text.js';
import { readGlobs } from '../../domain/rules/glob.js';
import { CONDITIONS, type RuleSubject } from '../../domain/rules/rule-subject.js';
import { checkJsonSchema } from './check-json-schema.js';
import type { References } from './references.js';
import { either } from './schema-message.js';
import { didYouMean } from './suggest.js';
import { withoutMissing } from './without-missing.js';
import type { YamlValue } from './yaml-value.js';

/** What is known of the tool that rules are written for. */
export interface RuleScope {
  readonly parameters: JsonSchema | undefined;
  readonly subject: RuleSubject | undefined;
  /** True for the tool whose `command` argument is a command line of the agent's. */
  readonly isShell: boolean;
  readonly references: References;
}

const KEYS = ['command', 'paths', 'hosts', 'methods', 'when'] as const;

/** When a rule speaks: all that is written must hold, and something must be written. */
export function buildCondition(rule: YamlValue, mode: ApprovalMode, scope: RuleScope): RuleCondition {
  if (isJsonObject(rule.raw) && !KEYS.some((key) => rule.get(key).isPresent)) {
    report(rule, `${rule.path} needs a condition: ${either(KEYS.map((key) => `\`${key}\``))}`);
  }
  for (const key of KEYS) checkApplies(rule.get(key), key, scope);
  for (const key of ['paths', 'hosts'] as const) scope.references.scan(rule.get(key), { kind: 'setting' });
  for (const path of rule.get('paths').items()) checkPattern(path);
  return withoutMissing({
    command: commandOf(rule.get('command')),
    paths: rule.get('paths').texts(),
    hosts: rule.get('hosts').texts(),
    methods: rule
      .get('methods')
      .texts()
      ?.map((method) => method.toUpperCase()),
    arguments: schemaOf(rule.get('when'), mode, scope),
  });
}

/** A rule that could never speak is a mistake, and in a deny rule a dangerous one. */
function checkApplies(value: YamlValue, key: (typeof KEYS)[number], { subject }: RuleScope): void {
  if (!value.isPresent || key === 'when' || !subject || CONDITIONS[subject].includes(key)) return;
  const known = [...CONDITIONS[subject], 'when'];
  const finding = `a rule of this tool cannot speak of \`${key}\``;
  value.report(
    {
      code: 'WORKFLOW.VALIDATION.SCHEMA',
      message: `${value.path}: ${finding}`,
      suggestion: () =>
        `it can speak of ${either(known.map((name) => `\`${name}\``))}${PROCESS_HINT[subject] ?? ''}`,
    },
    'key',
  );
}

const PROCESS_HINT: Partial<Record<RuleSubject, string>> = {
  command: '; which files and hosts its processes reach is for `restrictions` to say',
};

/** One with a value in it is read when the value is known. */
function checkPattern(path: YamlValue): void {
  const text = path.text() ?? '*';
  if (!text.includes('{{')) attempt(path, () => void readGlobs(text));
}

function commandOf(value: YamlValue): readonly string[] | undefined {
  const text = value.text();
  if (text !== undefined) return attempt(value, () => readCommandText(text));
  const words = value.texts();
  if (words) attempt(value, () => checkWords(words));
  return words;
}

/** A rule that names an argument speaks only of calls that have it: absence must never pass for a match. */
function schemaOf(when: YamlValue, mode: ApprovalMode, scope: RuleScope): JsonSchema | undefined {
  if (!when.isPresent) return undefined;
  const entries = when.entries();
  for (const [name, schema] of entries) {
    checkJsonSchema(schema);
    checkArgument(name, schema, scope.parameters);
    if (scope.isShell && mode === 'auto' && name === 'command') checkExactText(schema);
  }
  const properties = isJsonObject(when.raw) ? when.raw : {};
  return { type: 'object', properties, required: entries.map(([name]) => name) };
}

/** `^git status` fits `git status; rm -rf ~` as well: what allows a command line must know all of it. */
function checkExactText(schema: YamlValue): void {
  if (schema.get('const').isPresent || schema.get('enum').isPresent) return;
  report(
    schema,
    `${schema.path}: an auto rule about the text of a command line needs \`const\` or \`enum\``,
    () => 'to allow commands by their first words, write `command: git status`',
  );
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

function attempt<T>(value: YamlValue, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    const shown = typeof value.raw === 'string' ? ` ${JSON.stringify(value.raw.slice(0, 80))}` : '';
    report(value, `${value.path}:${shown} ${messageOf(error)}`);
    return undefined;
  }
}

function report(value: YamlValue, message: string, suggestion?: () => string): void {
  value.report({ code: 'WORKFLOW.VALIDATION.SCHEMA', message, suggestion });
}
