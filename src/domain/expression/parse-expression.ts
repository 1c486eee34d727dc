import { compilePattern } from '../pattern/compile-pattern.js';
import { matchesPattern } from '../pattern/matches-pattern.js';
import { ExpressionError } from './expression-error.js';
import { binary, type Scope, type Term, TYPES } from './operators.js';
import { readTokens, type Token } from './read-tokens.js';

/** A condition over a conversation, read and checked: it has no way to fail, and none to do anything. */
export type Expression = (scope: Scope) => boolean;

const MAX_LENGTH = 4_096;
const MAX_DEPTH = 64;

/**
 * Reads `response contains 'DONE' and turn_count >= 2`. Names, types and patterns are checked here, so that a
 * condition that could never hold is a mistake in the file and not a conversation without an end.
 */
export function parseExpression(source: string): Expression {
  if (source.length > MAX_LENGTH) {
    throw new ExpressionError(`a condition has at most ${MAX_LENGTH} characters`, MAX_LENGTH);
  }
  const term = new Parser(readTokens(source)).whole();
  return (scope) => term.value(scope) === true;
}

class Parser {
  #at = 0;
  #depth = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  whole(): Term {
    const term = this.#either();
    const rest = this.#next;
    if (rest.kind !== 'end') throw new ExpressionError(`"${rest.value}" is one word too many`, rest.offset);
    expectType(term, 'boolean', 'a condition is true or false');
    return term;
  }

  #either(): Term {
    return this.#chain(['||'], () => this.#both());
  }

  #both(): Term {
    return this.#chain(['&&'], () => this.#negation());
  }

  #negation(): Term {
    const { offset } = this.#next;
    if (!this.#take('!')) return this.#comparison();
    const term = this.#nested(() => this.#negation());
    expectType(term, 'boolean', '"not" needs a condition');
    return { type: 'boolean', offset, value: (scope) => term.value(scope) !== true };
  }

  #comparison(): Term {
    const left = this.#sum();
    // `response not contains 'x'`, as AWF may write it.
    const negation = WORD_OPERATORS.has(String(this.#peek(1)?.value)) && this.#take('!') !== undefined;
    const operator = this.#takeAny(COMPARISONS);
    if (!operator) return left;
    const term =
      operator.value === 'matches' ? this.#pattern(left, operator) : binary(operator, left, this.#sum());
    return negation ? { ...term, value: (scope) => term.value(scope) !== true } : term;
  }

  #sum(): Term {
    return this.#chain(['+', '-'], () => this.#chain(['*', '/'], () => this.#signed()));
  }

  #signed(): Term {
    const { offset } = this.#next;
    if (!this.#take('-')) return this.#primary();
    const term = this.#nested(() => this.#signed());
    expectType(term, 'number', '"-" needs a number');
    return { type: 'number', offset, value: (scope) => -Number(term.value(scope)) };
  }

  #primary(): Term {
    const token = this.#next;
    const { offset } = token;
    if (this.#take('(')) {
      const term = this.#nested(() => this.#either());
      if (!this.#take(')')) throw new ExpressionError('this "(" is never closed', offset);
      return term;
    }
    this.#at += 1;
    if (token.kind === 'number') return { type: 'number', offset, value: () => token.value };
    if (token.kind === 'text') return { type: 'text', offset, value: () => token.value };
    if (token.kind === 'name') return named(token.value, offset);
    const found = token.kind === 'end' ? 'the condition ends' : `"${token.value}" stands`;
    throw new ExpressionError(`${found} where a value should be`, offset);
  }

  /** The pattern is compiled now: what is wrong with it is said when the file is read. */
  #pattern(left: Term, operator: Token): Term {
    expectType(left, 'text', '"matches" looks in a text');
    const token = this.#next;
    if (token.kind !== 'text') {
      throw new ExpressionError('"matches" needs a pattern in quotes', token.offset);
    }
    this.#at += 1;
    const pattern = compilePattern(token.value, token.offset + 1);
    return {
      type: 'boolean',
      offset: operator.offset,
      value: (scope) => matchesPattern(pattern, String(left.value(scope))),
    };
  }

  #chain(symbols: readonly string[], operand: () => Term): Term {
    let left = operand();
    for (let operator = this.#takeAny(symbols); operator; operator = this.#takeAny(symbols)) {
      left = binary(operator, left, operand());
    }
    return left;
  }

  #nested(read: () => Term): Term {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) {
      throw new ExpressionError(`nested deeper than ${MAX_DEPTH} levels`, this.#next.offset);
    }
    const term = read();
    this.#depth -= 1;
    return term;
  }

  get #next(): Token {
    // The list ends with its end, and nothing reads past that.
    return this.#peek(0) ?? { kind: 'end', value: '', offset: 0, end: 0 };
  }

  #peek(ahead: number): Token | undefined {
    return this.tokens[Math.min(this.#at + ahead, this.tokens.length - 1)];
  }

  #take(symbol: string): Token | undefined {
    return this.#takeAny([symbol]);
  }

  #takeAny(symbols: Iterable<string>): Token | undefined {
    const token = this.#next;
    if (token.kind !== 'symbol' || ![...symbols].includes(token.value)) return undefined;
    this.#at += 1;
    return token;
  }
}

const WORD_OPERATORS: ReadonlySet<string> = new Set(['contains', 'matches', 'startsWith', 'endsWith']);
const COMPARISONS = ['==', '!=', '<', '<=', '>', '>=', ...WORD_OPERATORS];

/** AWF keeps these among the inputs of the condition, so `inputs.response` is one of its spellings. */
function named(written: string, offset: number): Term {
  if (written === 'true' || written === 'false') {
    return { type: 'boolean', offset, value: () => written === 'true' };
  }
  const name = written.replace(/^inputs\./, '');
  const type = Object.hasOwn(TYPES, name) ? TYPES[name as keyof Scope] : undefined;
  if (type) return { type, offset, value: (scope) => scope[name as keyof Scope] };
  const known = Object.keys(TYPES).join(', ');
  throw new ExpressionError(`nothing is known as "${written.slice(0, 80)}" (there is: ${known})`, offset);
}

function expectType(term: Term, type: Term['type'], rule: string): void {
  if (term.type === type) return;
  throw new ExpressionError(`${rule}, and this is a ${term.type}`, term.offset);
}
