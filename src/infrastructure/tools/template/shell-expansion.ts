import { type Quote, TemplateProblem, UnfinishedTemplate } from './shell-word.js';
import { HOLE } from './template-source.js';

const NAME = /\$(?:[A-Za-z_][A-Za-z0-9_]*|[0-9?$!@*#-])/y;

/**
 * Where an expansion that begins here ends. What is filled in must not be inside of one: there the shell would
 * read a value as code, as a name or as a number to work out.
 */
export function skipExpansion(text: string, start: number, quote: Quote): number {
  const end = endOf(text, start, quote);
  const hole = text.slice(start, end).indexOf(HOLE);
  if (hole < 0) return end;
  throw new TemplateProblem(
    `it is inside of ${kindOf(text, start)}`,
    start + hole,
    'pass it as a plain argument',
  );
}

function kindOf(text: string, start: number): string {
  if (text.startsWith('$((', start)) return 'arithmetic "$((…))"';
  if (text.startsWith('${', start)) return 'a parameter expansion in braces';
  return 'a command substitution';
}

function endOf(text: string, start: number, quote: Quote): number {
  if (text[start] === '`') return backtickEnd(text, start);
  const next = text[start + 1] ?? '';
  if (next === '(') return closingEnd(text, start + 2, ')');
  if (next === '{') return closingEnd(text, start + 2, '}');
  refuseOddDollar(text, start, quote);
  NAME.lastIndex = start;
  return start + (NAME.exec(text)?.[0].length ?? 1);
}

/** `$"…"`, `$'…'` and `$[…]` mean something to some shells only, and a `$` before a value reads as one of ours. */
function refuseOddDollar(text: string, start: number, quote: Quote): void {
  const next = text[start + 1] ?? '';
  const isOdd = next === HOLE || next === '[' || (quote === 'none' && (next === '"' || next === "'"));
  if (!isOdd) return;
  throw new TemplateProblem('a "$" stands before a value, a quote or a bracket', start + 1, 'remove the "$"');
}

function backtickEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '`') at += text[at] === '\\' ? 2 : 1;
  if (at >= text.length) throw new UnfinishedTemplate('a ` is never closed', start, 'close it');
  return at + 1;
}

function closingEnd(text: string, start: number, closer: ')' | '}'): number {
  let at = start;
  while (at < text.length && text[at] !== closer) at = skipInside(text, at);
  if (at >= text.length) throw new UnfinishedTemplate(`a "${closer}" is missing`, start - 2, 'close it');
  return at + 1;
}

function skipInside(text: string, at: number): number {
  switch (text[at]) {
    case '\\':
      return at + 2;
    case "'":
      return quoteEnd(text, at);
    case '"':
      return doubleQuoteEnd(text, at);
    case '(':
      return closingEnd(text, at + 1, ')');
    case '`':
    case '$':
      return nestedEnd(text, at);
    default:
      return at + 1;
  }
}

/** Inside of an expansion nothing is filled in, so an odd `$` there is the shell's own business. */
function nestedEnd(text: string, at: number): number {
  if (text[at] === '`') return backtickEnd(text, at);
  const next = text[at + 1] ?? '';
  return next === '(' || next === '{' ? closingEnd(text, at + 2, next === '(' ? ')' : '}') : at + 1;
}

function quoteEnd(text: string, start: number): number {
  const end = text.indexOf("'", start + 1);
  if (end < 0) throw new UnfinishedTemplate("a ' is never closed", start, 'close it');
  return end + 1;
}

function doubleQuoteEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') {
    if (text[at] === '\\') at += 2;
    else if (text[at] === '$' || text[at] === '`') at = nestedEnd(text, at);
    else at++;
  }
  if (at >= text.length) throw new UnfinishedTemplate('a " is never closed', start, 'close it');
  return at + 1;
}
