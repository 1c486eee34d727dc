import { type Piece, TemplateProblem, type Word } from './shell-word.js';

type OpenValueIn = (word: Word) => { readonly at: number } | undefined;

// Their first word is a list of options even without a dash.
const BUNDLED = new Set(['tar', 'gtar', 'bsdtar', 'ar']);

/** Refuses a value that would be part of an option's name: whoever fills it in would choose the option. */
export function checkOptionNames(
  { name, args, shielded }: { name: string; args: readonly Word[]; shielded: ReadonlySet<Word> },
  openValue: OpenValueIn,
): void {
  for (const [index, word] of args.entries()) {
    const value = openValue(word);
    if (!value || shielded.has(word)) continue;
    const isBundle = index === 0 && BUNDLED.has(name);
    if (!isBundle && !/^-[^=]*$/s.test(textBefore(word, value.at))) continue;
    const why = 'it would be part of the name of an option, and so choose what the command does';
    throw new TemplateProblem(why, value.at, 'write the option out, as in --name={{…}}');
  }
}

/** What stands before a value. What the shell works out may come to nothing, so it hides no dash. */
function textBefore({ pieces }: Word, at: number): string {
  const end = pieces.findIndex((piece) => piece.kind === 'value' && piece.at === at);
  return pieces.slice(0, end).map(knownText).join('');
}

function knownText(piece: Piece): string {
  if (piece.kind === 'text') return piece.text;
  // A value from a fixed list is never empty and begins with no dash.
  return piece.kind === 'value' ? '0' : '';
}
