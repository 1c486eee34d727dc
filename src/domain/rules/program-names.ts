import type { PlannedCommand } from '../plan.js';

/** A command under one of the names that its program goes by. */
export interface CommandReading {
  readonly name: string;
  readonly args: readonly string[];
}

type Named = Pick<PlannedCommand, 'path' | 'real'>;

/** The last part of where it is, in lower case: on some disks `GIT` is `git`. */
export function programName({ path }: Pick<PlannedCommand, 'path'>): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase();
}

/** All names that a program goes by: its own, that of the file it is a link to, and both without their version. */
export function programNames({ path, real }: Named): readonly string[] {
  const own = withoutVersions(programName({ path }));
  return real === undefined ? own : [...new Set([...own, ...withoutVersions(programName({ path: real }))])];
}

/**
 * A command in every way that a rule could write it: `python3.11 x` is a `python3 x`, and `git-push` is a `git push`.
 * Only for rules that hold back.
 */
export function readingsOf(command: PlannedCommand): readonly CommandReading[] {
  const known = readings.get(command);
  if (known) return known;
  const made = programNames(command).flatMap((name) => [
    { name, args: command.args },
    ...asSubcommands(name, command.args),
  ]);
  readings.set(command, made);
  return made;
}

/** Every rule of a policy asks for the same ones. */
const readings = new WeakMap<PlannedCommand, readonly CommandReading[]>();

/** `python3.11`, `python3`, `python`. */
function withoutVersions(name: string): readonly string[] {
  const shorter = name.replace(/[-.]?\d+$/, '');
  return shorter === name || shorter === '' ? [name] : [name, ...withoutVersions(shorter)];
}

function asSubcommands(name: string, args: readonly string[]): readonly CommandReading[] {
  return [...name.matchAll(/(?<=.)-(?=.)/g)].map(({ index }) => ({
    name: name.slice(0, index),
    args: [name.slice(index + 1), ...args],
  }));
}
