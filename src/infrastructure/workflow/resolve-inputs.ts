import { type ErrorCode, ToolgateError } from '../../domain/errors.js';
import type { InputDeclaration, InputValues, Workflow } from '../../domain/workflow.js';
import { checkInputValue, convertInput, type ReadInput } from './input-value.js';
import { didYouMean } from './suggest.js';

/** Checks and types the values given for a workflow's inputs; all that is wrong with them is one error. */
export function resolveInputs(
  workflow: Pick<Workflow, 'inputs'>,
  given: Readonly<Record<string, string>>,
  options: { readonly workspace: string },
): InputValues {
  const { inputs } = workflow;
  const values = new Map<string, string | number | boolean>();
  const faults = unknownInputs(inputs, given);
  const missing = inputs.filter((input) => input.required && isMissing(input, given));
  if (missing.length > 0) faults.push(missingInputs(missing));
  for (const input of inputs) {
    if (isMissing(input, given)) continue;
    const read = readInput(input, given, options);
    if ('problem' in read) faults.push({ code: 'USER.INPUT.INVALID', message: read.problem });
    else values.set(input.name, read.value);
  }
  throwWorst(faults);
  return Object.freeze(Object.fromEntries(values));
}

function isMissing(input: InputDeclaration, given: Readonly<Record<string, string>>): boolean {
  return !Object.hasOwn(given, input.name) && input.default === undefined;
}

function readInput(
  input: InputDeclaration,
  given: Readonly<Record<string, string>>,
  options: { readonly workspace: string },
): ReadInput {
  const text = Object.hasOwn(given, input.name) ? given[input.name] : undefined;
  const read: ReadInput = text === undefined ? { value: input.default ?? '' } : convertInput(input, text);
  if ('problem' in read) return read;
  const problem = checkInputValue(input, read.value, options);
  return problem === undefined ? read : { problem };
}

interface Fault {
  readonly code: Extract<ErrorCode, `USER.INPUT.${string}`>;
  readonly message: string;
}

function unknownInputs(
  inputs: readonly InputDeclaration[],
  given: Readonly<Record<string, string>>,
): Fault[] {
  const known = inputs.map(({ name }) => name);
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const hint = didYouMean(name, known, 'the inputs are') ?? 'the workflow has no inputs';
      return { code: 'USER.INPUT.UNKNOWN', message: `there is no input \`${name.slice(0, 80)}\`; ${hint}` };
    });
}

function missingInputs(missing: readonly InputDeclaration[]): Fault {
  const names = missing.map(({ name, description }) => {
    return description === undefined ? `\`${name}\`` : `\`${name}\` (${description.split('\n')[0]})`;
  });
  const [first] = missing;
  return {
    code: 'USER.INPUT.MISSING',
    message: `missing ${missing.length === 1 ? 'input' : 'inputs'}: ${names.join(', ')}; give each as -i ${first?.name}=…`,
  };
}

const BY_WEIGHT: readonly Fault['code'][] = [
  'USER.INPUT.UNKNOWN',
  'USER.INPUT.MISSING',
  'USER.INPUT.INVALID',
];

/** A mistyped name is both unknown and missing: the unknown one, which has the hint, leads. */
function throwWorst(faults: readonly Fault[]): void {
  const sorted = BY_WEIGHT.flatMap((code) => faults.filter((fault) => fault.code === code));
  const [first] = sorted;
  if (!first) return;
  const message = sorted.map((fault) => fault.message).join('\n');
  throw new ToolgateError(first.code, message, { details: sorted.map((fault) => ({ ...fault })) });
}
