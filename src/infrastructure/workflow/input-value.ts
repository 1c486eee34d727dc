import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { InputDeclaration, InputType } from '../../domain/workflow.js';
import { matchPattern } from './match-pattern.js';

// A pattern meets untrusted text here; what is longer is no name, path or number anyone typed.
const MAX_PATTERN_TEXT = 10_000;

type InputValue = string | number | boolean;

/** An input's value, or what is wrong with it. */
export type ReadInput = { readonly value: InputValue } | { readonly problem: string };

/** A text given for an input, as a value of the input's type. */
export function convertInput(input: InputDeclaration, text: string): ReadInput {
  const value = typed(input.type, text);
  if (value !== undefined) return { value };
  return {
    problem: `input \`${input.name}\`: expected ${EXPECTED[input.type]}; found ${shown(input, text)}`,
  };
}

const EXPECTED: Record<InputType, string> = {
  string: 'a text without NUL',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
};

function typed(type: InputType, text: string): InputValue | undefined {
  switch (type) {
    case 'string':
      return text.includes('\0') ? undefined : text;
    case 'boolean':
      return text === 'true' || text === 'false' ? text === 'true' : undefined;
    case 'integer':
      return /^[+-]?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
    case 'number':
      return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text))
        ? Number(text)
        : undefined;
    default:
      return type satisfies never;
  }
}

/** What is wrong with a value by the input's own `validation`, if anything is. */
export function checkInputValue(
  input: InputDeclaration,
  value: InputValue,
  options: { readonly workspace: string },
): string | undefined {
  const problem =
    problemWithChoice(input, value) ??
    (typeof value === 'number' ? problemWithNumber(input, value) : undefined) ??
    (typeof value === 'string' ? problemWithText(input, value, options.workspace) : undefined);
  return problem && `input \`${input.name}\`: ${problem}; found ${shown(input, value)}`;
}

function problemWithChoice({ validation }: InputDeclaration, value: InputValue): string | undefined {
  const choices = validation?.enum;
  if (!choices || choices.includes(value)) return undefined;
  return `expected one of ${choices.join(', ')}`;
}

function problemWithNumber({ validation }: InputDeclaration, value: number): string | undefined {
  const { min, max } = validation ?? {};
  if (min !== undefined && value < min) return `expected ${min} or more`;
  return max !== undefined && value > max ? `expected ${max} or less` : undefined;
}

function problemWithText(input: InputDeclaration, text: string, workspace: string): string | undefined {
  const { pattern, fileExtension, fileExists } = input.validation ?? {};
  return (
    (pattern === undefined ? undefined : problemWithPattern(pattern, text)) ??
    (fileExtension ? problemWithExtension(fileExtension, text) : undefined) ??
    (fileExists && !exists(resolve(workspace, text))
      ? 'expected the path of something that exists'
      : undefined)
  );
}

function problemWithPattern(pattern: string, text: string): string | undefined {
  if (text.length > MAX_PATTERN_TEXT) return `expected at most ${MAX_PATTERN_TEXT} characters`;
  const matches = matchPattern(pattern, text);
  if (matches === 'too-slow') return `its pattern takes too long on this text, so it is refused`;
  return matches ? undefined : `expected a text that matches ${pattern}`;
}

function problemWithExtension(extensions: readonly string[], text: string): string | undefined {
  const endings = extensions.map((one) => (one.startsWith('.') ? one : `.${one}`));
  if (endings.some((ending) => text.toLowerCase().endsWith(ending.toLowerCase()))) return undefined;
  return `expected a path that ends in ${endings.join(' or ')}`;
}

function exists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** A secret's value is never shown, not even a wrong one. */
function shown(input: InputDeclaration, value: InputValue): string {
  if (input.secret) return '(a secret)';
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
