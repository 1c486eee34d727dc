import { ExpressionError } from './expression-error.js';

/** One word of an expression. A symbol is what an operator is written as, also where that is a word. */
export type Token = {
  readonly offset: number;
  /** Where the token ends. */
  readonly end: number;
} & (
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'name'; readonly value: string }
  | { readonly kind: 'symbol'; readonly value: string }
  | { readonly kind: 'end'; readonly value: '' }
);

const BLANK = /\s+/y;
const NUMBER = /\d+(?:\.\d+)?/y;
const NAME = /[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*/y;
const SYMBOL = /&&|\|\||[=!<>]=|[<>!()+\-*/]/y;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** AWF's spellings and the plain ones, each to the one that the grammar knows. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['and', '&&'],
  ['or', '||'],
  ['not', '!'],
  ['contains', 'contains'],
  ['matches', 'matches'],
  ['startsWith', 'startsWith'],
  ['starts_with', 'startsWith'],
  ['endsWith', 'endsWith'],
  ['ends_with', 'endsWith'],
]);

/** Splits an expression into its tokens, the last of which is its end. */
export function readTokens(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let offset = skipBlank(source, 0);
  while (offset < source.length) {
    const token = readToken(source, offset);
    tokens.push(token);
    offset = skipBlank(source, token.end);
  }
  return [...tokens, { kind: 'end', value: '', offset, end: offset }];
}

function readToken(source: string, offset: number): Token {
  if (`'"\``.includes(source[offset] ?? ' ')) return readText(source, offset);
  const number = found(NUMBER, source, offset);
  if (number !== undefined) return { kind: 'number', value: Number(number), ...span(offset, number) };
  const name = found(NAME, source, offset);
  if (name !== undefined) {
    const word = WORDS.get(name);
    return { kind: word ? 'symbol' : 'name', value: word ?? name, ...span(offset, name) };
  }
  const symbol = found(SYMBOL, source, offset);
  if (symbol !== undefined) return { kind: 'symbol', value: symbol, ...span(offset, symbol) };
  const shown = String.fromCodePoint(source.codePointAt(offset) ?? 0);
  const hint = shown === '=' ? '; write == to compare' : '';
  throw new ExpressionError(`"${shown}" means nothing here${hint}`, offset);
}

/** Quoted in any of three ways; a backslash takes the next character as it is, but in backticks. */
function readText(source: string, offset: number): Token {
  const quote = source[offset];
  let value = '';
  for (let at = offset + 1; at < source.length; at += 1) {
    const character = source[at] ?? '';
    if (character === quote) return { kind: 'text', value, offset, end: at + 1 };
    if (character !== '\\' || quote === '`') {
      value += character;
      continue;
    }
    at += 1;
    value += escaped(source[at] ?? '');
  }
  throw new ExpressionError('this quote is never closed', offset);
}

/** `\d` in a quoted pattern stays `\d`: nobody who writes it means a plain d. */
function escaped(character: string): string {
  return ESCAPES[character] ?? (/[\\'"`]/.test(character) ? character : `\\${character}`);
}

function skipBlank(source: string, offset: number): number {
  return offset + (found(BLANK, source, offset)?.length ?? 0);
}

function found(pattern: RegExp, source: string, offset: number): string | undefined {
  pattern.lastIndex = offset;
  return pattern.exec(source)?.[0];
}

function span(offset: number, text: string): { readonly offset: number; readonly end: number } {
  return { offset, end: offset + text.length };
}
