import type { ProgramRule } from './exec-options.js';

/** The first word that is, holds or abbreviates one of these options. Words after `--` count too: better one too many. */
export function findOption(
  args: readonly string[],
  options: readonly string[],
  rule: ProgramRule,
): string | undefined {
  return args.find((word, index) => {
    const isBundle = rule.bundled === true && index === 0 && !word.startsWith('-');
    return options.some((option) => isOption(word, option, { valued: rule.valued ?? '', isBundle }));
  });
}

/** Where the operands stand: what is neither an option nor the value of one. */
export function operandIndexes(args: readonly string[], rule: ProgramRule): readonly number[] {
  const indexes: number[] = [];
  let isValue = false;
  let isRest = false;
  for (const [index, word] of args.entries()) {
    if (isValue) isValue = false;
    else if (isRest || !isDashed(word)) indexes.push(index);
    else if (word === '--') isRest = true;
    else isValue = endsWithValued(word, rule.valued ?? '');
  }
  return rule.bundled && indexes[0] === 0 ? indexes.slice(1) : indexes;
}

/** A dash alone is a name for stdin. */
export function isDashed(word: string): boolean {
  return word.startsWith('-') && word.length > 1;
}

interface Spelling {
  readonly valued: string;
  readonly isBundle: boolean;
}

function isOption(word: string, option: string, spelling: Spelling): boolean {
  if (option.startsWith('--')) return abbreviates(word, option);
  if (option.length > 2) return word === option;
  return holdsLetter(word, option.slice(1), spelling);
}

function abbreviates(word: string, option: string): boolean {
  const [name = ''] = word.split('=');
  return name.length > 2 && name.startsWith('--') && option.startsWith(name);
}

function holdsLetter(word: string, letter: string, { valued, isBundle }: Spelling): boolean {
  if (isBundle) return word.includes(letter);
  if (!/^-[^-]/.test(word)) return false;
  for (const character of word.slice(1)) {
    if (character === letter) return true;
    if (valued.includes(character)) return false;
  }
  return false;
}

/** Whether the next word is the value of this one: `-nk` is followed by one, `-k2` has it already. */
function endsWithValued(word: string, valued: string): boolean {
  if (!/^-[^-]/.test(word)) return false;
  const letters = [...word.slice(1)];
  const first = letters.findIndex((letter) => valued.includes(letter));
  return first >= 0 && first === letters.length - 1;
}
