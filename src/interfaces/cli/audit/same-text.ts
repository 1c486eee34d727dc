import { REDACTED } from '../../../domain/secret-shapes.js';

/** What a text that was too long ends with. */
const CUT_END = /…\[\d+ bytes, sha256:[0-9a-f]{64}\]$/;
/** What only somebody who had the secrets can have hidden: they are known to the journal, but not in other forms. */
const OTHER_FORM = /^[^\s"]{4,}$/;
const WITHHELD = /^\[secret [^\]\n]+\]$/;
const REDACTIONS = new RegExp(`(?:${REDACTED.replace(/[[\]]/g, '\\$&')})+`);

/**
 * Whether a text of a trail is the one that the journal has. The trail may hide forms of a secret (base64, for one)
 * that whoever reads the journal without the secret cannot know, and what was cut off is then another text too.
 */
export function isSameText(actual: string, expected: string, hasSecrets: boolean): boolean {
  if (actual === expected) return true;
  const areCut = hasSecrets && CUT_END.test(actual) && CUT_END.test(expected);
  return areCut
    ? isHiddenIn(actual.replace(CUT_END, ''), expected.replace(CUT_END, ''))
    : isHiddenIn(actual, expected);
}

/** Whether the one is the other with words hidden in it. Linear: what it reads, an agent may have written. */
function isHiddenIn(actual: string, expected: string): boolean {
  const [head = '', ...rest] = actual.split(REDACTIONS);
  if (!expected.startsWith(head)) return false;
  let at = head.length;
  for (const [index, piece] of rest.entries()) {
    const isLast = index === rest.length - 1;
    const next = isLast ? expected.length - piece.length : expected.indexOf(piece, at + 1);
    if (next < at || !expected.startsWith(piece, next) || !mayBeHidden(expected.slice(at, next)))
      return false;
    at = next + piece.length;
  }
  return at === expected.length;
}

/** A word, or the quoted form of more than one. */
function mayBeHidden(text: string): boolean {
  return OTHER_FORM.test(text) || WITHHELD.test(text) || text.includes('\\');
}
