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

/** Words of a command in which no value may stand, and why. */
export interface Forbidden {
  readonly words: readonly Word[];
  readonly why: string;
  readonly instead: string;
}

const LIST_HINT = 'write it out in the template, or give the parameter an `enum` of plain words';
const FILE_HINT = 'put the code into a file, and pass the value to that as an argument';

/** Everything a command would read as code, or as the choice of what to run. */
export function forbiddenWords(name: string, args: readonly Word[]): readonly Forbidden[] {
  return [
    ...codeTaker(name, args),
    ...codeOptions(name, args),
    ...findCommand(name, args),
    ...interpreted(name, args),
    ...subcommand(name, args),
  ];
}

function codeTaker(name: string, args: readonly Word[]): readonly Forbidden[] {
  if (!CODE_TAKERS.has(name)) return [];
  const why = `"${name}" may run its arguments, or read them as code`;
  return [{ words: args, why, instead: `${FILE_HINT}; or ${LIST_HINT}` }];
}

function codeOptions(name: string, args: readonly Word[]): readonly Forbidden[] {
  const short = SHORT_CODE_OPTIONS.get(name);
  return args.flatMap((word, index) => {
    const option = leadingText(word);
    if (!CODE_OPTIONS.test(option) && !short?.test(option)) return [];
    const why = `the option "${option.replace(/=.*/s, '')}" of "${name}" may run what it is given`;
    return [{ words: args.slice(index, index + 2), why, instead: LIST_HINT }];
  });
}

/** All that `find -exec` is given is a command. */
function findCommand(name: string, args: readonly Word[]): readonly Forbidden[] {
  const start = args.findIndex((word) => /^-(?:exec|execdir|ok|okdir)$/.test(literalOf(word) ?? ''));
  if (name !== 'find' || start < 0) return [];
  const why = 'it is part of a command that "find" runs';
  return [{ words: args.slice(start), why, instead: 'search first, and run the command in another tool' }];
}

function interpreted(name: string, args: readonly Word[]): readonly Forbidden[] {
  const interpreter = INTERPRETERS.find((form) => form.name.test(name));
  const form = interpreter ?? PROGRAM_TOOLS.get(name);
  if (!form) return [];
  const why = interpreter
    ? `it would be the program that "${name}" runs, or an option of it`
    : `it would be part of the program that "${name}" runs`;
  return [{ words: decidingWords(args, form), why, instead: FILE_HINT }];
}

function subcommand(name: string, args: readonly Word[]): readonly Forbidden[] {
  const form = SUBCOMMAND_TOOLS.get(name);
  if (!form) return [];
  const why = `it would choose what "${name}" does`;
  const first = decidingWords(args, form);
  const isDeeper = form.deeper?.test(textOf(first.at(-1))) ?? false;
  const rest = args.slice(first.length);
  const words = isDeeper ? [...first, ...decidingWords(rest, form)] : first;
  return [{ words, why, instead: LIST_HINT }];
}

/** The words up to the one that says what is run; all of them if an unknown option comes first. */
function decidingWords(args: readonly Word[], form: CommandForm): readonly Word[] {
  const index = firstOperand(args, form);
  return index === undefined ? args : args.slice(0, index + 1);
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

/** Whether a command would run what a pipe brings it. */
export function readsCode(name: string, args: readonly Word[]): boolean {
  if (CODE_TAKERS.has(name)) return true;
  if (!INTERPRETERS.some((form) => form.name.test(name))) return false;
  const texts = args.map(textOf);
  return texts.includes('-s') || !texts.some((text) => text !== '' && !text.startsWith('-'));
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
