import { isWordCode } from './pattern.js';

type CodeTest = (code: number) => boolean;

const isDigit: CodeTest = (code) => code >= 48 && code <= 57;
const isBlank: CodeTest = (code) => code === 32 || (code >= 9 && code <= 13);

/** `\d` and its like. They know ASCII only, as in Go. */
export const SHORTHANDS: ReadonlyMap<string, CodeTest> = new Map([
  ['d', isDigit],
  ['D', not(isDigit)],
  ['w', isWordCode],
  ['W', not(isWordCode)],
  ['s', isBlank],
  ['S', not(isBlank)],
]);

export const CONTROLS: ReadonlyMap<string, number> = new Map([
  ['n', 10],
  ['r', 13],
  ['t', 9],
  ['f', 12],
  ['v', 11],
]);

export function not(test: CodeTest): CodeTest {
  return (code) => !test(code);
}

export function anyOf(tests: readonly CodeTest[]): CodeTest {
  return (code) => tests.some((test) => test(code));
}

export function between(first: number, last: number): CodeTest {
  return (code) => code >= first && code <= last;
}

/** The same test for either case of a letter. */
export function ignoringCase(test: CodeTest): CodeTest {
  return (code) => {
    if (test(code)) return true;
    const letter = String.fromCodePoint(code);
    return [letter.toLowerCase(), letter.toUpperCase()].some((form) => test(form.codePointAt(0) ?? code));
  };
}
