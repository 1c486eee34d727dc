import { CODE_TAKERS, INTERPRETERS, PROGRAM_TOOLS, SHORT_CODE_OPTIONS } from './code-runners.js';
import { leadingText, literalOf, TemplateProblem, type Word } from './shell-word.js';

/** A command of a template, as far as it matters to files that values are written to. */
export interface FileUse {
  /** Undefined where it is not known before it runs. */
  readonly name: string | undefined;
  /** The word that names the program, if there is one. */
  readonly program: Word | undefined;
  readonly args: readonly Word[];
  readonly at: number;
  /** Whether a value is among its words, or may come through a pipe. */
  readonly carriesValue: boolean;
  /** Files that its output goes to. */
  readonly outputs: readonly Word[];
}

// Takers of code that cannot run a file.
const HARMLESS = new Set(
  'test [ [[ export unset read wait type ulimit local readonly declare typeset let less more man'.split(' '),
);
const BUILDERS = new Set(
  'chmod install npm npx pnpm yarn cargo go dotnet uv poetry pip pytest tox mvn gradle'.split(' '),
);
const SYSTEM_PROGRAM = /^\/(?:usr\/(?:local\/)?)?s?bin\/[^/]+$/;

/** Refuses a template that writes a value into a file and may run a file: the value would be the program. */
export function checkStoredValues(uses: readonly FileUse[], groupOutputs: readonly Word[]): void {
  const hasValue = uses.some(({ carriesValue }) => carriesValue);
  if (!hasValue) return;
  for (const use of uses.filter(runsFile)) {
    const others = uses.filter((other) => other !== use && other.carriesValue);
    const isStored = groupOutputs.length > 0 || others.some(({ outputs }) => outputs.length > 0);
    const own = use.carriesValue && use.outputs.some((word) => fileNames([word]).some(isAmong(use)));
    const isNamed = others.some((other) => fileNames(writable(other)).some(isAmong(use)));
    if (!isStored && !own && !isNamed) continue;
    const runner = use.name === undefined ? 'an unknown command' : `"${use.name}"`;
    const why = `a value may be written into a file that ${runner} then runs`;
    throw new TemplateProblem(why, use.at, 'make two tools of it');
  }
}

function runsFile({ name, program, args }: FileUse): boolean {
  if (name === undefined) return true;
  if (CODE_TAKERS.has(name)) return !HARMLESS.has(name);
  if (BUILDERS.has(name) || INTERPRETERS.some((form) => form.name.test(name))) return true;
  const option = SHORT_CODE_OPTIONS.get(name);
  if (
    PROGRAM_TOOLS.has(name) &&
    args.some((word) => /^-.*f/.test(leadingText(word)) && option?.test(leadingText(word)))
  )
    return true;
  const path = program ? (literalOf(program) ?? '') : '';
  return path.includes('/') && !SYSTEM_PROGRAM.test(path);
}

/** Words of a command that may be files it writes; an interpreter's own script is none. */
function writable({ name, args, outputs }: FileUse): readonly Word[] {
  const isInterpreter = INTERPRETERS.some((form) => form.name.test(name ?? ''));
  const first = isInterpreter ? args.findIndex((word) => !leadingText(word).startsWith('-')) : -1;
  return [...args.slice(first + 1), ...outputs];
}

function isAmong(use: FileUse): (name: string) => boolean {
  const names = new Set(fileNames(runWords(use)));
  return (name) => names.has(name);
}

/** Words that may name the file that is run. */
function runWords({ name, program, args }: FileUse): readonly Word[] {
  if (BUILDERS.has(name ?? '') && name !== 'chmod' && name !== 'install') return [];
  const isInterpreter = INTERPRETERS.some((form) => form.name.test(name ?? ''));
  const script = isInterpreter ? args.findIndex((word) => !leadingText(word).startsWith('-')) : -1;
  return [...(program ? [program] : []), ...(script < 0 ? args : args.slice(0, script + 1))];
}

/** `./t.sh`, `of=t.sh` and `t.sh` are one file. Options and values are none. */
function fileNames(words: readonly Word[]): readonly string[] {
  return words.flatMap((word) => {
    const text = literalOf(word)?.replace(/^(?:-{0,2}[\w-]+=)?(?:\.\/+)*/, '');
    return text === undefined || text === '' || text.startsWith('-') ? [] : [text];
  });
}
