import { checkFormat } from './check-format.js';
import type { FormatDeclaration } from './formats/declaration.js';

/**
 * Checks a declaration, with its example if it has one, so that a format in hand is one that works. Pass what it
 * returns as `format`, alone or beside others: `['auto', mine]`. Throws a TypeError that lists every mistake.
 */
export function defineFormat(declaration: FormatDeclaration): FormatDeclaration {
  const mistakes = checkFormat(declaration);
  if (mistakes.length > 0) {
    const list = mistakes.map(({ message }) => message).join('; ');
    throw new TypeError(`The format "${String(declaration?.id)}" cannot be used: ${list}.`);
  }
  return structuredClone(declaration);
}
