import { CODE_TAKERS, INTERPRETERS, SHELL } from './code-runners.js';
import { firstOperand } from './command-rules.js';
import { leadingText, literalOf, type Word } from './shell-word.js';

const STDIN = '(?:-|/dev/stdin|/dev/fd/0|/proc/(?:self|thread-self|\\$\\$|\\d+)/fd/0)';
const STDIN_FILE = new RegExp(`^${STDIN}$`);
const SCRIPT_OPTION =
  /^(?:-[A-Za-z]*[fEK]|--?(?:file|from-file|script|script-file|source|config|exec|makefile|command-file))$/;
const SCRIPT_FROM_STDIN = new RegExp(
  `^(?:-[A-Za-z]*[fEK]=?|--?(?:file|from-file|script|script-file|source|config|exec|makefile|command-file)=)${STDIN}$`,
);
// With these, `-f -` is a list of patterns or an archive.
const DATA_READERS = new Set('grep egrep fgrep zgrep rg ag ugrep tar gtar bsdtar pax'.split(' '));
// GNU tar reads options in a list of files, and some of them run commands.
const TAR_LIST = new RegExp(`^(?:-[A-Za-z]*T|--files-from)(?:=?${STDIN})?$`);
const CODE_GIVEN = /^(?:-[A-Za-z0-9]*[ce]|-[pE]|-jar|--(?:eval|print|command))(?:=|$)/;
const INTERACTIVE = /^(?:-[A-Za-z]*i[A-Za-z]*|--interactive|repl|-a)$/;
const CONSOLES = new Set(['code', 'asyncio', 'pdb', 'ipython', 'bpython', 'ptpython', 'idlelib', 'runpy']);

/** Commands that read what they do from their input, though their arguments are harmless. */
const STDIN_PROGRAMS = new Set(
  (
    'bc openssl ftp lftp tftp mail mailx duckdb sqlcmd sqlplus isql cqlsh mongo clickhouse-client ' +
    'newgrp sg machinectl adb fdisk gp maxima units nsupdate'
  ).split(' '),
);

/** Whether a command would run what a pipe brings it. */
export function readsCode(name: string, args: readonly Word[]): boolean {
  if (CODE_TAKERS.has(name) || STDIN_PROGRAMS.has(name)) return true;
  if (readsScript(name, args.map(textOf))) return true;
  const form = INTERPRETERS.find((one) => one.name.test(name));
  if (!form) return false;
  const texts = args.map(textOf);
  if (texts.some((text) => STDIN_FILE.test(text) || INTERACTIVE.test(text) || CONSOLES.has(text)))
    return true;
  if (SHELL.test(name) && texts.some((text) => /^-[A-Za-z]*[cs]/.test(text))) return true;
  const operand = firstOperand(args, form);
  if (operand === undefined) return !texts.some((text) => CODE_GIVEN.test(text));
  const program = args[operand];
  return program === undefined || literalOf(program) === undefined;
}

/** Whether an option says that the program is in the input: `sed -f -`, `awk -f/dev/stdin`, `x --file=-`. */
function readsScript(name: string, texts: readonly string[]): boolean {
  const isData = DATA_READERS.has(name);
  return texts.some((text, index) => {
    const isNext = STDIN_FILE.test(texts[index + 1] ?? '');
    if (isData)
      return /tar$/.test(name) && TAR_LIST.test(text) && (isNext || new RegExp(`${STDIN}$`).test(text));
    return SCRIPT_FROM_STDIN.test(text) || (isNext && SCRIPT_OPTION.test(text));
  });
}

function textOf(word: Word): string {
  return literalOf(word) ?? leadingText(word);
}
