export type Quote = 'none' | 'single' | 'double';

/** A part of a word: text, a value that is filled in, or something the shell works out. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string; readonly quote: Quote }
  | { readonly kind: 'value'; readonly index: number; readonly at: number; readonly quote: Quote }
  | { readonly kind: 'expansion'; readonly text: string; readonly quote: Quote };

/** One shell word of a template, with its place in the flat text. */
export interface Word {
  readonly start: number;
  readonly end: number;
  readonly pieces: readonly Piece[];
}

export type Token =
  | { readonly kind: 'word'; readonly word: Word }
  | { readonly kind: 'operator'; readonly text: string; readonly start: number }
  /** What comes next is a file name, not an argument. */
  | { readonly kind: 'redirect'; readonly text: string; readonly start: number };

/** Why values cannot be filled into a template, at which place of its flat text, and what to write instead. */
export class TemplateProblem extends Error {
  constructor(
    readonly why: string,
    readonly offset: number,
    readonly instead = '',
  ) {
    super(why);
  }
}

/** The text of a word that is all text, quotes removed; undefined if anything in it is not known yet. */
export function literalOf(word: Word): string | undefined {
  let text = '';
  for (const piece of word.pieces) {
    if (piece.kind !== 'text') return undefined;
    text += piece.text;
  }
  return text;
}

/** The same, but only if nothing in it was quoted: `'if'` is a file name, `if` is not. */
export function bareLiteralOf(word: Word): string | undefined {
  return word.pieces.every(({ quote }) => quote === 'none') ? literalOf(word) : undefined;
}

export function valuesOf(word: Word): readonly Extract<Piece, { kind: 'value' }>[] {
  return word.pieces.filter((piece) => piece.kind === 'value');
}

/** What a word begins with for certain. */
export function leadingText({ pieces }: Word): string {
  let text = '';
  for (const piece of pieces) {
    if (piece.kind !== 'text') break;
    text += piece.text;
  }
  return text;
}

const MAGIC = /[*?[\]{}]|^~|[:=]~/;

/** Whether a shell would make something else of a word's own text: file names, alternatives, a home directory. */
export function isMagic({ pieces }: Word): boolean {
  return pieces.some((piece) => piece.kind === 'text' && piece.quote === 'none' && MAGIC.test(piece.text));
}

/** Something that begins and does not end, which no shell could run either. */
export class UnfinishedTemplate extends TemplateProblem {}
