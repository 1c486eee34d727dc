import type { PlannedCommand } from '../plan.js';
import { programName } from './hidden-commands.js';

/** Whether a command begins with these words: the program that the name means, then the very same arguments. */
export function beginsWith(words: readonly string[], command: PlannedCommand): boolean {
  const [program = '', ...rest] = words;
  const isProgram = program.includes('/') ? program === command.path : program === command.name;
  return isProgram && rest.every((word, index) => word === command.args[index]);
}

/**
 * Whether a command could be what these words mean, for rules that hold back: any program of that name, with options and
 * their values between the words (`git -C x push` is a `git push`), and options anywhere and in any spelling of theirs.
 */
export function couldMean(words: readonly string[], { path, args }: PlannedCommand): boolean {
  const [program = '', ...rest] = words;
  if (programName({ path: program }) !== programName({ path })) return false;
  const options = rest.filter((word) => isOption(word));
  return (
    options.every((option) => hasOption(option, args)) &&
    followsIn(
      rest.filter((word) => !isOption(word)),
      args,
    )
  );
}

/** The words in their order; between them only options, each with one word that may be its value. */
function followsIn(words: readonly string[], args: readonly string[]): boolean {
  let at = 0;
  for (const word of words) {
    while (at < args.length && args[at] !== word && isOption(args[at])) {
      const mayHaveValue = !args[at]?.includes('=');
      at += 1;
      if (mayHaveValue && at < args.length && args[at] !== word && !isOption(args[at])) at += 1;
    }
    if (args[at] !== word) return false;
    at += 1;
  }
  return true;
}

function hasOption(option: string, args: readonly string[]): boolean {
  if (option.startsWith('--')) return args.some((word) => isLongOption(word, option));
  const letters = args.filter((word) => /^-[^-]/.test(word)).join('');
  return args.includes(option) || [...option.slice(1)].every((letter) => letters.includes(letter));
}

/** Most programs take `--forc` for `--force`. */
function isLongOption(word: string, option: string): boolean {
  const [name = ''] = word.split('=');
  return word === option || (name.length > 2 && name.startsWith('--') && option.startsWith(name));
}

function isOption(word = ''): boolean {
  return word.startsWith('-') && word.length > 1;
}
