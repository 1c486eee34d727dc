import { DeniedError } from '../../domain/errors.js';
import type { ArgumentPaths } from './argument-paths.js';
import type { Binary } from './binary-resolver.js';
import { containedOnlyReason } from './contained-only.js';
import { type ProgramRule, ruleFor } from './exec-options.js';
import { checkGit, messageIndexes } from './git-rules.js';
import { findOption, isDashed, operandIndexes } from './option-words.js';
import { shown } from './shown.js';

/** One file that is many programs: its own name says nothing about what it is run as. */
const MANY_IN_ONE = new Set(['busybox', 'toybox', 'coreutils', 'uutils']);

/**
 * Checks a listed program's arguments, so that the list means what it says: it starts nothing else, and it touches
 * no path that the tool may not. Gives the arguments it is to be run with. `paths` is absent where the kernel
 * contains the process; then only what starts other programs is refused.
 */
export function checkArguments(
  binary: Binary,
  args: readonly string[],
  paths?: ArgumentPaths,
): readonly string[] {
  const names = namesOf(binary);
  if (!paths) checkPrograms(binary.name, names, args);
  else {
    for (const name of names) refuse(binary.name, containedReason(name, args));
    checkPrograms(binary.name, names, args);
    for (const name of names) checkPaths(name, args, paths);
  }
  return [...names.flatMap((name) => ruleFor(name).prepend ?? []), ...args];
}

/** The name it is run under and the name of its file, without version numbers: `python3.11` is python. */
function namesOf({ name, realPath }: Binary): readonly string[] {
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

function checkPrograms(shown: string, names: readonly string[], args: readonly string[]): void {
  for (const name of names) {
    if (name === 'git') refuse(shown, checkGit(args));
    refuse(shown, ruleProblem(ruleFor(name), args));
  }
}

function ruleProblem(rule: ProgramRule, args: readonly string[]): string | undefined {
  const denied = findOption(args, rule.deny ?? [], rule);
  if (denied !== undefined)
    return `${shown(denied)} lets it run other programs, or write where no path shows it`;
  const operands = operandIndexes(args, rule).map((index) => args[index] ?? '');
  if (operands.length > (rule.maxOperands ?? Number.POSITIVE_INFINITY)) {
    return `with more than ${rule.maxOperands} operands it writes a file, or changes the system`;
  }
  const odd = operands.find((word) => rule.refuseText?.test(word) || rule.operands?.test(word) === false);
  if (odd !== undefined) return `its argument ${shown(odd)} may do more than print`;
  const unknown = rule.onlyOptions && args.find((word) => isForeignOption(word, rule, operands));
  return unknown && `its option ${shown(unknown)} is not one that is known to be harmless`;
}

function isForeignOption(word: string, rule: ProgramRule, operands: readonly string[]): boolean {
  return (
    isDashed(word) && word !== '--' && !operands.includes(word) && rule.onlyOptions?.test(word) === false
  );
}

function checkPaths(name: string, args: readonly string[], paths: ArgumentPaths): void {
  const rule = ruleFor(name);
  if (rule.text === 'all') return;
  const text = new Set([...textIndexes(rule, args), ...(name === 'git' ? messageIndexes(args) : [])]);
  const isWriter = rule.writes === true || findOption(args, rule.writes ?? [], rule) !== undefined;
  for (const [index, word] of args.entries()) {
    if (!text.has(index)) paths.check(word, isWriter ? 'write' : 'read');
  }
}

/** The first operand where it is a pattern, a script or a filter. */
function textIndexes(rule: ProgramRule, args: readonly string[]): readonly number[] {
  if (typeof rule.text !== 'object' || findOption(args, rule.text.unless, rule)) return [];
  return operandIndexes(args, rule).slice(0, 1);
}

function refuse(name: string, problem: string | undefined): void {
  if (problem) throw new DeniedError(`${shown(name)} is refused: ${problem}`);
}
