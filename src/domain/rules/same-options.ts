import { both, type Fit } from './fit.js';
import { isShortFor } from './running-options.js';

/** Spellings of one option, as far as they are known: a rule about one is about all of them. */
const SAME: ReadonlyMap<string, readonly (readonly string[])[]> = new Map(
  Object.entries({
    rm: 'r,R,recursive f,force',
    cp: 'r,R,recursive f,force',
    git: 'f,force d,delete n,no-verify',
    chmod: 'R,recursive',
    chown: 'R,recursive',
    chgrp: 'R,recursive',
    npm: 'g,global f,force',
    curl: 'X,request k,insecure d,data o,output T,upload-file',
  }).map(([name, groups]) => [name, groups.split(' ').map((group) => group.split(','))]),
);

/**
 * Whether a command has an option of a rule that holds back, in any spelling. `unsure` where it has one that begins
 * with the same letter: `-f` is `--force` to many programs, and something else to others.
 */
export function optionFit(option: string, name: string, args: readonly string[]): Fit {
  if (args.includes(option)) return 'yes';
  const wanted = option.startsWith('--') ? [option.slice(2)] : [...option.slice(1)];
  return wanted.map((each) => spellingFit(each, name, args)).reduce(both, 'yes');
}

function spellingFit(wanted: string, name: string, args: readonly string[]): Fit {
  const spellings = SAME.get(name)?.find((group) => group.includes(wanted)) ?? [wanted];
  if (spellings.some((spelling) => isGiven(spelling, args))) return 'yes';
  // A branch with a plus in front is pushed by force.
  if (name === 'git' && spellings.includes('force') && args.some((word) => word.startsWith('+')))
    return 'yes';
  return args.some((word) => beginsAlike(word, wanted)) ? 'unsure' : 'no';
}

function isGiven(spelling: string, args: readonly string[]): boolean {
  if (spelling.length === 1) return args.some((word) => isBundle(word) && word.includes(spelling, 1));
  return args.some((word) => isShortFor(word, `--${spelling}`));
}

function beginsAlike(word: string, wanted: string): boolean {
  const letter = wanted.charAt(0).toLowerCase();
  if (isBundle(word)) return word.slice(1).toLowerCase().includes(letter);
  return wanted.length === 1 && word.startsWith(`--${letter}`);
}

function isBundle(word: string): boolean {
  return /^-[^-]/.test(word);
}
