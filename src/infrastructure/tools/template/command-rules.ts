import {
  CODE_OPTIONS,
  CODE_TAKERS,
  type CommandForm,
  INTERPRETERS,
  PASS_THROUGH,
  PROGRAM_TOOLS,
  SHORT_CODE_OPTIONS,
  SUBCOMMAND_TOOLS,
} from './code-runners.js';
import { leadingText, literalOf, valuesOf, type Word } from './shell-word.js';

/** Whose values are meant: a model's arguments only, or those of the person who runs the workflow as well. */
export type ValueSource = 'model' | 'anyone';

/** Words of a command in which no value may stand, and why. */
export interface Forbidden {
  readonly words: readonly Word[];
  readonly from: ValueSource;
  readonly why: string;
  readonly instead: string;
}

const LIST_HINT = 'write it out, or give the parameter an `enum` of plain words';
const FILE_HINT = 'put the code into a file, and pass the value to that as an argument';

/** Everything a command would read as code, or as the choice of what to run. */
export function forbiddenWords(name: string, args: readonly Word[]): readonly Forbidden[] {
  return [
    ...codeTaker(name, args),
    ...codeOptions(name, args),
    ...findCommand(name, args),
    ...interpreted(name, args),
    ...programmed(name, args),
    ...subcommand(name, args),
  ];
}

function codeTaker(name: string, args: readonly Word[]): readonly Forbidden[] {
  if (!CODE_TAKERS.has(name)) return [];
  const why = `"${name}" may run its arguments, or read them as code`;
  return [{ words: args, from: 'anyone', why, instead: `${FILE_HINT}, or ${LIST_HINT}` }];
}

function codeOptions(name: string, args: readonly Word[]): readonly Forbidden[] {
  const short = SHORT_CODE_OPTIONS.get(name);
  return args.flatMap((word, index) => {
    const option = leadingText(word);
    if (!CODE_OPTIONS.test(option) && !short?.test(option)) return [];
    const why = `the option "${option.replace(/=.*/s, '')}" of "${name}" may run what it is given`;
    return [{ words: args.slice(index, index + 2), from: 'anyone', why, instead: LIST_HINT }];
  });
}

/** All that `find -exec` is given is a command. */
function findCommand(name: string, args: readonly Word[]): readonly Forbidden[] {
  const start = args.findIndex((word) => /^-(?:exec|execdir|ok|okdir)$/.test(literalOf(word) ?? ''));
  if (name !== 'find' || start < 0) return [];
  const why = 'it is part of a command that "find" runs';
  const instead = 'search first, and run the command in another tool';
  return [{ words: args.slice(start), from: 'anyone', why, instead }];
}

function interpreted(name: string, args: readonly Word[]): readonly Forbidden[] {
  const form = INTERPRETERS.find((one) => one.name.test(name));
  if (!form) return [];
  const why = `it would be the program that "${name}" runs, or an option of it`;
  return [{ ...decidingWords(args, form), why, instead: FILE_HINT }];
}

function programmed(name: string, args: readonly Word[]): readonly Forbidden[] {
  const form = PROGRAM_TOOLS.get(name);
  if (!form) return [];
  const { words } = decidingWords(args, form);
  const why = `it would be part of the program that "${name}" runs`;
  return [{ words, from: 'anyone', why, instead: FILE_HINT }];
}

function subcommand(name: string, args: readonly Word[]): readonly Forbidden[] {
  const form = SUBCOMMAND_TOOLS.get(name);
  if (!form) return [];
  const why = `it would choose what "${name}" does`;
  const first = decidingWords(args, form);
  const forbidden: Forbidden = { ...first, why, instead: LIST_HINT };
  if (!form.deeper?.test(textOf(first.words.at(-1)))) return [forbidden];
  const rest = decidingWords(args.slice(first.words.length), form);
  return [forbidden, { ...rest, why, instead: LIST_HINT }];
}

/** The words up to the one that says what is run; all of them, and nobody's values, if an unknown option comes first. */
function decidingWords(args: readonly Word[], form: CommandForm): Pick<Forbidden, 'words' | 'from'> {
  const index = firstOperand(args, form);
  return index === undefined
    ? { words: args, from: 'anyone' }
    : { words: args.slice(0, index + 1), from: 'model' };
}

/** Where a command's first word is that is no option; undefined where that cannot be told. */
export function firstOperand(args: readonly Word[], form: CommandForm): number | undefined {
  for (let index = 0; index < args.length; index++) {
    const text = textOf(args[index]);
    const isWorkedOut = text === '' && args[index]?.pieces.some(({ kind }) => kind === 'expansion');
    if (isWorkedOut) return undefined;
    if (form.valued?.includes(text)) index++;
    else if (!form.flags?.test(text) && text !== '--') return /^[-+]/.test(text) ? undefined : index;
  }
  return args.length;
}

/** The words after which a command reads no more options: there a value may begin with a dash. */
export function shieldedWords(name: string, args: readonly Word[]): ReadonlySet<Word> {
  const end = PASS_THROUGH.has(name) ? -1 : args.findIndex((word) => literalOf(word) === '--');
  return new Set(end < 0 ? [] : args.slice(end + 1));
}

function textOf(word: Word | undefined): string {
  if (!word) return '';
  return valuesOf(word).length === 0 ? (literalOf(word) ?? leadingText(word)) : leadingText(word);
}
