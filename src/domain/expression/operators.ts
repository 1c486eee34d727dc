import { ExpressionError } from './expression-error.js';
import type { Token } from './read-tokens.js';

/** What a condition can look at. */
export interface Scope {
  /** The agent's last reply. */
  readonly response: string;
  /** Exchanges so far: what the agent was told, and the reply that it gave in the end. */
  readonly turn_count: number;
  /** Tokens of the whole step, in and out. */
  readonly tokens_used: number;
  /** AWF's other name for `tokens_used`. */
  readonly total_tokens: number;
  readonly max_context_tokens: number;
}

export type ValueType = 'text' | 'number' | 'boolean';

/** A part of a condition: of what type it is, where it is written, and what it comes to. */
export interface Term {
  readonly type: ValueType;
  readonly offset: number;
  readonly value: (scope: Scope) => string | number | boolean;
}

export const TYPES: Readonly<Record<keyof Scope, ValueType>> = {
  response: 'text',
  turn_count: 'number',
  tokens_used: 'number',
  total_tokens: 'number',
  max_context_tokens: 'number',
};

interface Operator {
  /** What both sides must be; `any` wants only that they are alike. */
  readonly takes: ValueType | 'any';
  readonly gives: ValueType;
  readonly apply: (left: never, right: never) => string | number | boolean;
}

const number = (gives: ValueType, apply: (left: number, right: number) => number | boolean): Operator => ({
  takes: 'number',
  gives,
  apply,
});
const text = (apply: (left: string, right: string) => boolean): Operator => ({
  takes: 'text',
  gives: 'boolean',
  apply,
});

const OPERATORS: Readonly<Record<string, Operator>> = {
  '||': { takes: 'boolean', gives: 'boolean', apply: (left: boolean, right: boolean) => left || right },
  '&&': { takes: 'boolean', gives: 'boolean', apply: (left: boolean, right: boolean) => left && right },
  '==': { takes: 'any', gives: 'boolean', apply: (left: unknown, right: unknown) => left === right },
  '!=': { takes: 'any', gives: 'boolean', apply: (left: unknown, right: unknown) => left !== right },
  '<': number('boolean', (left, right) => left < right),
  '<=': number('boolean', (left, right) => left <= right),
  '>': number('boolean', (left, right) => left > right),
  '>=': number('boolean', (left, right) => left >= right),
  '+': number('number', (left, right) => left + right),
  '-': number('number', (left, right) => left - right),
  '*': number('number', (left, right) => left * right),
  '/': number('number', (left, right) => left / right),
  contains: text((left, right) => left.includes(right)),
  startsWith: text((left, right) => left.startsWith(right)),
  endsWith: text((left, right) => left.endsWith(right)),
};

/** Two parts and what stands between them; sides of the wrong type are a mistake in the file. */
export function binary({ value: symbol, offset }: Token, left: Term, right: Term): Term {
  const operator = OPERATORS[symbol];
  if (!operator) throw new ExpressionError(`"${symbol}" means nothing here`, offset);
  const { takes, gives, apply } = operator;
  const expected = takes === 'any' ? left.type : takes;
  const wrong = [left, right].find(({ type }) => type !== expected);
  if (wrong) {
    const message = `"${symbol}" needs a ${expected} on both sides, and this is a ${wrong.type}`;
    throw new ExpressionError(message, wrong.offset);
  }
  return {
    type: gives,
    offset: left.offset,
    value: (scope) => apply(left.value(scope) as never, right.value(scope) as never),
  };
}
