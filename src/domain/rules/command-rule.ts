import type { PlannedCommand } from '../plan.js';
import { both, either, type Fit } from './fit.js';
import { type CommandReading, programName, readingsOf } from './program-names.js';
import { optionFit } from './same-options.js';

/** The words of a rule, told apart once. */
export interface CommandWords {
  readonly program: string;
  /** As `programName` has it. */
  readonly name: string;
  readonly rest: readonly string[];
  readonly options: readonly string[];
  readonly operands: readonly string[];
}

export function readCommandWords([program = '', ...rest]: readonly string[]): CommandWords {
  const options = rest.filter((word) => isOption(word));
  const operands = rest.filter((word) => !isOption(word));
  return { program, name: programName({ path: program }), rest, options, operands };
}

/** Whether a command begins with these words: the program that the name means, then the very same arguments. */
export function beginsWith({ program, rest }: CommandWords, command: PlannedCommand): boolean {
  const isProgram = program.includes('/') ? program === command.path : program === command.name;
  return isProgram && rest.every((word, index) => word === command.args[index]);
}

/**
 * Whether a command could be what these words mean, for rules that hold back: any program of that name, with options and
 * their values between the words (`git -C x push` is a `git push`), and options anywhere and in any spelling of theirs.
 */
export function couldMean(words: CommandWords, command: PlannedCommand): Fit {
  return readingsOf(command)
    .map((reading) => readingFit(words, reading))
    .reduce(either, 'no');
}

function readingFit({ name, options, operands }: CommandWords, reading: CommandReading): Fit {
  if (name !== reading.name || !followsIn(operands, reading.args)) return 'no';
  return options.map((option) => optionFit(option, name, reading.args)).reduce(both, 'yes');
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

function isOption(word = ''): boolean {
  return word.startsWith('-') && word.length > 1;
}
