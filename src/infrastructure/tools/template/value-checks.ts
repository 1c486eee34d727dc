import { DeniedError } from '../../../domain/errors.js';
import { countOf } from '../cut-output.js';
import { isWellFormed } from '../tool-output.js';
import type { Piece } from './shell-word.js';
import type { TemplateValue } from './template-parameters.js';
import type { ValueWord } from './template-safety.js';

// Linux takes 128 KiB for one argument, its end included; all of them share what a small stack leaves.
const MAX_ARGUMENT_BYTES = 128 * 1024 - 1;
const MAX_ALL_BYTES = 1024 * 1024;

/** Refuses a value that no process could be given as it is. */
export function checkValue(name: string, text: string): void {
  if (text.includes('\0')) throw new DeniedError(`the value of ${name} holds a NUL character`);
  if (!isWellFormed(text)) {
    throw new DeniedError(`the value of ${name} holds half a character (a lone surrogate)`);
  }
}

/** Refuses a word that a value would turn into an option of its command. */
export function checkLeadingDash(
  { word, isShielded }: ValueWord,
  values: readonly TemplateValue[],
  texts: readonly (string | undefined)[],
): void {
  // What the shell works out may come to nothing, so it hides no dash.
  const first = word.pieces.find((piece) => piece.kind !== 'expansion' && textOf(piece, texts) !== '');
  if (isShielded || first?.kind !== 'value' || !textOf(first, texts).startsWith('-')) return;
  const culprit = values[first.index];
  if (!culprit || culprit.allowsDash) return;
  throw new DeniedError(
    `the value of ${culprit.name} begins with "-" and would be read as an option, so it is refused ` +
      `(whoever wrote the tool can put "--" before {{${culprit.name}}}, or say allow_dash: true)`,
  );
}

function textOf(piece: Piece, texts: readonly (string | undefined)[]): string {
  return piece.kind === 'value' ? (texts[piece.index] ?? '') : piece.text;
}

/** Refuses what the kernel would refuse, in words that say which limit it is. */
export function checkSize(words: readonly string[]): void {
  let total = 0;
  for (const word of words) {
    const bytes = Buffer.byteLength(word);
    total += bytes + 1;
    if (bytes > MAX_ARGUMENT_BYTES) throw tooLong('an argument', bytes, MAX_ARGUMENT_BYTES);
  }
  if (total > MAX_ALL_BYTES) throw tooLong('the whole command', total, MAX_ALL_BYTES);
}

function tooLong(what: string, bytes: number, max: number): DeniedError {
  return new DeniedError(`${what} has ${countOf(bytes)} bytes; a process can be given ${countOf(max)}`);
}
