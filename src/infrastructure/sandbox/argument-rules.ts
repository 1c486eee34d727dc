import { DeniedError } from '../../domain/errors.js';
import type { ArgumentPaths } from './argument-paths.js';
import type { Binary } from './binary-resolver.js';
import { containedOnlyReason } from './contained-only.js';
import { isKnownProgram, type ProgramRule, ruleFor } from './exec-options.js';
import { checkGit, gitArguments, gitFolder, messageIndexes } from './git-rules.js';
import { findOption, isDashed, operandIndexes } from './option-words.js';
import type { PathMode } from './path-policy.js';
import { shown } from './shown.js';
import type { VisiblePaths } from './visible-paths.js';

/** One file that is many programs: its own name says nothing about what it is run as. */
export const MANY_IN_ONE = new Set(['busybox', 'toybox', 'coreutils', 'uutils']);

/** Where a program would run. */
export interface ArgumentScope {
  readonly workspace: string;
  /** Absent where the kernel contains the process; then less has to be refused beforehand. */
  readonly paths: ArgumentPaths | undefined;
  /** Present where it does: what the process will find. */
  readonly visible: VisiblePaths | undefined;
}

/**
 * Checks a listed program's arguments, so that the list means what it says: it starts nothing else, and it touches
 * no path that the tool may not. Gives the arguments it is to be run with.
 */
export function checkArguments(
  binary: Binary,
  args: readonly string[],
  scope: ArgumentScope,
): readonly string[] {
  const names = namesOf(binary);
  for (const name of names) checkAs(name, { binary, args, scope });
  if (scope.paths && !names.some(isKnownProgram)) checkHiddenPaths(args, scope.paths);
  if (names.includes('git')) return gitArguments(args);
  return [...names.flatMap((name) => ruleFor(name).prepend ?? []), ...args];
}

interface Invocation {
  readonly binary: Binary;
  readonly args: readonly string[];
  readonly scope: ArgumentScope;
}

function checkAs(name: string, { binary, args, scope }: Invocation): void {
  const { workspace, paths, visible } = scope;
  const rule = ruleFor(name);
  if (paths) refuse(binary, containedReason(name, args));
  if (name === 'git') refuse(binary, checkGit(args, workspace));
  refuse(binary, programProblem(rule, args));
  if (paths) refuse(binary, reachProblem(rule, args));
  if (paths) checkPaths(name, args, paths);
  if (visible && isKnownProgram(name)) for (const word of pathWords(name, args)) visible.check(word);
}

/** The name it is run under and the name of its file, without version numbers: `python3.11` is python. */
export function namesOf({ name, realPath }: Binary): readonly string[] {
  const file = realPath.slice(realPath.lastIndexOf('/') + 1);
  const names = MANY_IN_ONE.has(file) ? [name] : [name, file];
  return [...new Set(names.flatMap((each) => [each, withoutVersion(each)]))];
}

function withoutVersion(name: string): string {
  return name.replace(/[-.]?\d[\d.]*$/, '') || name;
}

function containedReason(name: string, args: readonly string[]): string | undefined {
  const reason = containedOnlyReason(name, args);
  if (!reason) return undefined;
  return `it ${reason}; without the kernel layer it is not run from a list of commands. \`commands: any\` says that this is accepted`;
}

function programProblem(rule: ProgramRule, args: readonly string[]): string | undefined {
  const never = findOption(args, rule.never ?? [], rule);
  if (never !== undefined) return `${shown(never)} lets it reach what its arguments do not show`;
  const running = findOption(args, rule.runs ?? [], rule);
  if (running !== undefined) return `${shown(running)} lets it run other programs`;
  const operands = operandsOf(rule, args);
  const odd = operands.find((word) => rule.refuseText?.test(word));
  if (odd !== undefined) return `its argument ${shown(odd)} may do more than print`;
  const foreign = rule.onlyOptions && args.find((word) => isForeignOption(word, rule, operands));
  return foreign && `its option ${shown(foreign)} is not one that is known to be harmless`;
}

function reachProblem(rule: ProgramRule, args: readonly string[]): string | undefined {
  const reaching = findOption(args, rule.reaches ?? [], rule);
  if (reaching !== undefined) return `${shown(reaching)} lets it reach files that its arguments do not show`;
  const operands = operandsOf(rule, args);
  if (operands.length > (rule.maxOperands ?? Number.POSITIVE_INFINITY)) {
    return `with more than ${rule.maxOperands} operands it writes a file, or changes the system`;
  }
  const odd = operands.find((word) => rule.operands?.test(word) === false);
  return odd && `with the operand ${shown(odd)} it changes the system`;
}

function operandsOf(rule: ProgramRule, args: readonly string[]): readonly string[] {
  return operandIndexes(args, rule).map((index) => args[index] ?? '');
}

function isForeignOption(word: string, rule: ProgramRule, operands: readonly string[]): boolean {
  return (
    isDashed(word) && word !== '--' && !operands.includes(word) && rule.onlyOptions?.test(word) === false
  );
}

function checkPaths(name: string, args: readonly string[], paths: ArgumentPaths): void {
  const rule = ruleFor(name);
  const isWriter = rule.writes === true || findOption(args, rule.writes ?? [], rule) !== undefined;
  const words = pathWords(name, args);
  for (const word of words) {
    if (word.startsWith('@') && !rule.plainAt) throw responseFile(name, word);
    paths.check(word, isWriter ? 'write' : 'read');
    if (name === 'git') paths.check(word, 'read', gitFolder(args));
  }
  checkFolders(rule, args, { paths, mode: isWriter ? 'write' : 'read' });
}

interface FolderUse {
  readonly paths: ArgumentPaths;
  readonly mode: PathMode;
}

/** Looks at what is in folders where a program goes through them, or puts things there that no argument names. */
function checkFolders(rule: ProgramRule, args: readonly string[], { paths, mode }: FolderUse): void {
  const isDeep = rule.deep === true || findOption(args, rule.deep ?? [], rule) !== undefined;
  if (rule.into) paths.checkInto(args, { isDeep });
  if (!isDeep) return;
  for (const source of sourcesOf(rule, args)) {
    paths.checkWhole(source, mode);
    if (rule.into) paths.checkTree(source);
  }
}

/** The operands without a last one that is only the target; the folder it runs in where none is named. */
function sourcesOf(rule: ProgramRule, args: readonly string[]): readonly string[] {
  const operands = operandsOf(rule, args).slice(textIndexes(rule, args).length);
  if (operands.length === 0) return ['.'];
  const isLastSource =
    !rule.into ||
    findOption(args, ['-t', '-T', '--target-directory', '--no-target-directory'], rule) !== undefined;
  return isLastSource ? operands : operands.slice(0, -1);
}

/** The arguments that could name files: all but those that are text. */
function pathWords(name: string, args: readonly string[]): readonly string[] {
  const rule = ruleFor(name);
  if (rule.text === 'all') return [];
  const text = new Set([...textIndexes(rule, args), ...(name === 'git' ? messageIndexes(args) : [])]);
  return args.filter((_, index) => !text.has(index));
}

/** An unknown program may take a word for a command line, or for text with names of files in it. */
function checkHiddenPaths(args: readonly string[], paths: ArgumentPaths): void {
  for (const part of args.flatMap((word) => word.split(/[\s'"`;|&<>(){}]+/))) paths.check(part, 'read');
}

/** Many programs read further arguments from a file that is named like this, and nothing checks those. */
function responseFile(name: string, word: string): DeniedError {
  return new DeniedError(
    `${shown(name)} is refused: it may take ${shown(word)} for a file with more arguments; a path is written as ${shown(`./${word}`)}`,
  );
}

/** The first operand where it is a pattern, a script or a filter. */
function textIndexes(rule: ProgramRule, args: readonly string[]): readonly number[] {
  if (typeof rule.text !== 'object' || findOption(args, rule.text.unless, rule)) return [];
  return operandIndexes(args, rule).slice(0, 1);
}

function refuse({ name }: Binary, problem: string | undefined): void {
  if (problem) throw new DeniedError(`${shown(name)} is refused: ${problem}`);
}
