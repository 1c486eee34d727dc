import { messageOf } from '../../domain/errors.js';
import { toSnakeCase } from '../../domain/template.js';
import type { InputDeclaration, InputType, InputValidation } from '../../domain/workflow.js';
import { compilePattern } from './match-pattern.js';
import { reportDuplicates } from './report-duplicates.js';
import { checkTyped } from './scalar-type.js';
import { withoutMissing } from './without-missing.js';
import type { YamlValue } from './yaml-value.js';

const REFERENCE = /\{\{\s*\.?(?:inputs|states|env)\.[^{}]*\}\}/;

/** The declared inputs, and one required text for each that is only used. */
export function buildInputs(inputs: YamlValue, used: ReadonlySet<string>): readonly InputDeclaration[] {
  const declared = declarations(inputs, used);
  const names = new Set(declared.map(({ name }) => name));
  const undeclared = [...used].filter((name) => !names.has(name) && !names.has(toSnakeCase(name)));
  return [
    ...declared,
    ...undeclared.map((name) => ({ name, type: 'string', required: true, secret: false }) as const),
  ];
}

function declarations(inputs: YamlValue, used: ReadonlySet<string>): readonly InputDeclaration[] {
  const items = inputs.items();
  reportDuplicates(items.map((item) => item.get('name')));
  const listed = items.map((item) => buildInput(item.get('name').text() ?? '', item, used));
  const mapped = inputs.entries().map(([name, item]) => {
    checkOwnName(name, item.get('name'));
    return buildInput(name, item, used);
  });
  return [...listed, ...mapped];
}

function buildInput(name: string, input: YamlValue, used: ReadonlySet<string>): InputDeclaration {
  const type = (input.get('type').text() ?? 'string') as InputType;
  const fallback = input.get('default');
  checkTyped(fallback, type);
  checkLiteral(fallback, name);
  const hasDefault = fallback.isPresent;
  return withoutMissing({
    name,
    type,
    // What a template uses must have a value before anything runs, whatever `required` says.
    required: (input.get('required').flag() ?? !hasDefault) || (used.has(name) && !hasDefault),
    default: fallback.scalar(),
    description: input.get('description').text(),
    secret: input.get('secret').flag() ?? false,
    validation: input.get('validation').isPresent
      ? buildValidation(input.get('validation'), type)
      : undefined,
  });
}

/** Values are data: one that was read from elsewhere would be recorded as if it had been written here. */
function checkLiteral(fallback: YamlValue, name: string): void {
  const reference = REFERENCE.exec(fallback.text() ?? '')?.[0];
  if (reference === undefined) return;
  fallback.report({
    code: 'WORKFLOW.VALIDATION.SCHEMA',
    message: `${fallback.path}: a default is taken as it is written, so ${reference.slice(0, 80)} would never be filled in`,
    suggestion: () =>
      `leave the default out and give it as -i ${name}=…, or write the reference where it is used`,
  });
}

function buildValidation(rules: YamlValue, type: InputType): InputValidation {
  checkApplies(rules, type);
  checkPattern(rules.get('pattern'));
  for (const choice of rules.get('enum').items()) checkTyped(choice, type);
  const extension = rules.get('file_extension');
  const choices = rules.get('enum').isPresent ? rules.get('enum').items() : undefined;
  return withoutMissing({
    pattern: rules.get('pattern').text(),
    enum: choices?.flatMap((choice) => choice.scalar() ?? []),
    min: rules.get('min').number(),
    max: rules.get('max').number(),
    fileExists: rules.get('file_exists').flag(),
    fileExtension: extension.text() === undefined ? extension.texts() : [extension.text() ?? ''],
  });
}

const FOR_TEXTS = ['pattern', 'file_exists', 'file_extension'];
const FOR_NUMBERS = ['min', 'max'];

/** A rule that cannot apply would look like a protection and be none. */
function checkApplies(rules: YamlValue, type: InputType): void {
  const isNumber = type === 'integer' || type === 'number';
  for (const [key, rule] of rules.entries()) {
    const misplaced =
      (FOR_TEXTS.includes(key) && type !== 'string') || (FOR_NUMBERS.includes(key) && !isNumber);
    if (!misplaced) continue;
    const message = `${rule.path}: \`${key}\` says nothing about an input of type ${type}`;
    rule.report({ code: 'WORKFLOW.VALIDATION.SCHEMA', message }, 'key');
  }
}

function checkPattern(pattern: YamlValue): void {
  const source = pattern.text();
  if (source === undefined) return;
  try {
    compilePattern(source);
  } catch (error) {
    const message = `${pattern.path}: ${messageOf(error)}`;
    pattern.report({ code: 'WORKFLOW.VALIDATION.SCHEMA', message });
  }
}

function checkOwnName(key: string, name: YamlValue): void {
  if (!name.isPresent || name.raw === key) return;
  const message = `${name.path}: its name is its key, \`${key}\``;
  name.report({ code: 'WORKFLOW.VALIDATION.SCHEMA', message });
}
