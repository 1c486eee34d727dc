import { WRAPPERS } from './code-runners.js';
import { firstOperand, forbiddenWords, shieldedWords, type ValueSource } from './command-rules.js';
import { checkOptionNames } from './option-names.js';
import type { ReadCommands, SimpleCommand } from './shell-command.js';
import { isMagic, literalOf, TemplateProblem, valuesOf, type Word } from './shell-word.js';
import { readsCode } from './stdin-code.js';
import { checkStoredValues, type FileUse } from './stored-values.js';

/** A word that values are filled into. */
export interface ValueWord {
  readonly word: Word;
  /** Whether its command has stopped to read options by then. */
  readonly isShielded: boolean;
}

/** The first value in a word that could be anything; one from a fixed list is as good as text. */
export type OpenValueOf = (word: Word, source: ValueSource) => { readonly at: number } | undefined;

const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;
const POSITIONAL = /\$\{?[1-9@*]|\$#|\$\{#\}/;
// They change what `$1` means to the rest of the script.
const REBINDERS = new Set(['set', 'shift']);
const PIPED_KEYWORDS = new Set(['for', 'case', 'select', 'function', 'coproc']);

/** Refuses every value that does not end up as one literal argument, and returns the words that hold values. */
export function checkCommands(
  { commands, targets, groupOutputs }: ReadCommands,
  openValue: OpenValueOf,
): readonly ValueWord[] {
  for (const target of targets) checkWord(target);
  let hasValues = false;
  const uses: FileUse[] = [];
  const words = commands.flatMap((command) => {
    for (const word of command.words) checkWord(word);
    const resolved = resolveCommand(command.words);
    if (command.isPiped && hasValues) checkPiped(command, resolved);
    const carriesValue = command.words.some(hasValue) || (command.isPiped !== false && hasValues);
    uses.push({ ...resolved, carriesValue, outputs: command.outputs });
    hasValues ||= carriesValue;
    return checkCommand(resolved, openValue);
  });
  checkStoredValues(uses, groupOutputs);
  return words;
}

/** Within a word, what is filled in must stay as it is. */
function checkWord(word: Word): void {
  const usesPositional = word.pieces.some(
    (piece) => piece.kind === 'expansion' && POSITIONAL.test(piece.text.replace(/'[^']*'/g, '')),
  );
  if (usesPositional) {
    throw new TemplateProblem('"$1", "$@" and their kin are taken', word.start, 'use {{args.name}}');
  }
  const [value] = valuesOf(word);
  if (!value || !isMagic(word)) return;
  throw new TemplateProblem('it is glued to a pattern (one of *?[]{}~)', value.at, 'quote the pattern');
}

function checkCommand(command: ResolvedCommand, openValue: OpenValueOf): readonly ValueWord[] {
  const { name = '', args, at } = command;
  if (REBINDERS.has(name)) {
    throw new TemplateProblem(`"${name}" would change the values that are filled in`, at, 'leave it out');
  }
  const holders = args.filter(hasValue);
  if (holders.length === 0) return [];
  if (command.name === undefined) {
    refuseValues(args, 'which command gets it is not known', 'write the command out');
  }
  for (const { words, from, why, instead } of forbiddenWords(name, args)) {
    const value = words.map((word) => openValue(word, from)).find((found) => found !== undefined);
    if (value) throw new TemplateProblem(why, value.at, instead);
  }
  const shielded = shieldedWords(name, args);
  checkOptionNames({ name, args, shielded }, (word) => openValue(word, 'anyone'));
  return holders.map((word) => ({ word, isShielded: shielded.has(word) }));
}

function checkPiped({ isPiped }: SimpleCommand, { name, args, at }: ResolvedCommand): void {
  const mayRun = name === undefined || PIPED_KEYWORDS.has(name) || readsCode(name, args);
  if (isPiped !== 'group' && !mayRun) return;
  const reader = isPiped === 'group' ? 'a group of commands' : `"${name ?? 'an unknown command'}"`;
  const why = `a value may reach ${reader} through the pipe, and be run there`;
  throw new TemplateProblem(why, at, 'make two tools of it');
}

interface ResolvedCommand {
  /** Undefined where it is not known before it runs. */
  readonly name: string | undefined;
  readonly program: Word | undefined;
  readonly args: readonly Word[];
  readonly at: number;
}

/** The command that really runs, behind assignments and wrappers. */
function resolveCommand(words: readonly Word[]): ResolvedCommand {
  const index = words.findIndex((word) => !isAssignment(word));
  const start = index < 0 ? words.length : index;
  refuseValues(words.slice(0, start), 'it would be the value of a variable', 'pass it as an argument');
  const [command, ...args] = words.slice(start);
  if (!command) return { name: '', program: undefined, args: [], at: 0 };
  const instead = 'write the command out, and pass the value as an argument';
  refuseValues([command], 'it would choose the command that is run', instead);
  const name = nameOf(command);
  const wrapper = WRAPPERS.get(name ?? '');
  const plain = { name, program: command, args, at: command.start };
  if (!wrapper) return plain;
  const operand = firstOperand(args, wrapper);
  if (operand === undefined) return { ...plain, name: undefined };
  const wrapped = operand + (wrapper.operands ?? 0);
  refuseValues(args.slice(0, wrapped), `it would be an option of "${name}"`, 'write it out');
  return wrapped < args.length ? resolveCommand(args.slice(wrapped)) : plain;
}

function isAssignment({ pieces: [first] }: Word): boolean {
  return first?.kind === 'text' && first.quote === 'none' && ASSIGNMENT.test(first.text);
}

/** `/usr/bin/Python3.exe` is `python3` here. */
function nameOf(command: Word): string | undefined {
  const path = literalOf(command)?.split(/[/\\]/);
  return path
    ?.at(-1)
    ?.toLowerCase()
    .replace(/\.exe$/, '');
}

function hasValue(word: Word): boolean {
  return valuesOf(word).length > 0;
}

function refuseValues(words: readonly Word[], why: string, instead: string): void {
  const value = words.flatMap(valuesOf)[0];
  if (value) throw new TemplateProblem(why, value.at, instead);
}
