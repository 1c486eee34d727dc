import { basename } from 'node:path';
import { DeniedError } from '../../../../domain/errors.js';
import type { Confinement, Executable, SandboxPolicy, StrictConfinement } from '../../../../ports/sandbox.js';
import { namesOf } from '../../argument-rules.js';
import type { Binary, BinaryResolver } from '../../binary-resolver.js';
import { runsCode } from '../../contained-only.js';
import { isInside, realPathOf } from '../../path-containment.js';
import { literalRootOf } from '../../path-patterns.js';
import { shown } from '../../shown.js';
import { statOf } from '../folder-cache.js';
import { closureOf } from './library-closure.js';

/** Everything that can be run where a policy is strict. */
export interface StrictPrograms {
  /** Listed programs and the shell that starts them; then what these need to start. */
  readonly executables: readonly Executable[];
  /** Whether one of them may make code while it runs. */
  readonly makesCode: boolean;
  readonly notes: readonly string[];
}

const SHELL = '/bin/sh';
const MANY_IN_ONE = ['busybox', 'toybox', 'coreutils', 'uutils'];
/** Interpreters that never turn memory into code. */
const PLAIN_SHELLS = ['sh', 'bash', 'dash', 'ash', 'ksh', 'mksh', 'zsh'];
const PROGRAM_FOLDERS = ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin', '/bin', '/sbin'];

/** Finds them on this disk; refuses scripts, and what the process itself could have written. */
export async function strictProgramsOf(
  policy: SandboxPolicy,
  resolver: BinaryResolver,
): Promise<StrictPrograms> {
  const { permissions, workspace } = policy;
  if (permissions.hosts.length > 0) {
    throw new DeniedError(
      'The process is refused: with strict it cannot have hosts, for what connects it to them is a program that nobody listed; leave out the hosts, or strict',
    );
  }
  const names = typeof permissions.commands === 'string' ? [] : permissions.commands;
  const listed = names.flatMap((name) => resolver.resolve(name, workspace) ?? []);
  const shell = resolver.resolve(SHELL, workspace);
  const found = [...(shell ? [shell] : []), ...listed];
  const programs = [...new Map(found.map((program) => [program.path, program])).values()];
  const writable = permissions.write.filter((source) => !source.startsWith('!')).map(literalRootOf);
  // Before the loader is asked, which runs outside: what may be written may be anything by now.
  for (const { path, realPath } of programs) refuseWritable([path, realPath], writable.map(realPathOf));
  const closures = await Promise.all(programs.map(({ realPath }) => closureOf(realPath)));
  const libraries = [...new Set(closures.flat())].map((path) => ({ path, realPath: path }));
  return {
    executables: [...programs.map(({ path, realPath }) => ({ path, realPath })), ...libraries],
    makesCode: listed.some((binary) => isInterpreter(binary) && !PLAIN_SHELLS.includes(binary.name)),
    notes: [
      ...new Set([...listed.filter(isInterpreter).map(interpreterNote), ...programs.flatMap(manyNote)]),
    ],
  };
}

/** What of it holds for these roots, as they are on the disk now. */
export function strictConfinement(
  { executables, makesCode }: StrictPrograms,
  { readRoots, writeRoots }: Pick<Confinement, 'readRoots' | 'writeRoots'>,
): StrictConfinement {
  refuseWritable(
    executables.flatMap(({ path, realPath }) => [path, realPath]),
    writeRoots,
  );
  // A folder with a root in it cannot be emptied; nothing in it can be run all the same.
  const isOpen = (folder: string) => [...readRoots, ...writeRoots].some((root) => isInside(root, folder));
  const emptied = programFolders().filter((folder) => !isOpen(folder));
  return { emptied, executables, makesCode };
}

/** Refuses what lies where the process may write: it could run what it wrote. */
function refuseWritable(paths: readonly string[], writeRoots: readonly string[]): void {
  const path = paths.find((one) => writeRoots.some((root) => isInside(one, root)));
  if (path === undefined) return;
  throw new DeniedError(
    `The process is refused: with strict nothing can be run that the tool may write, and ${shown(path)} is such a file`,
  );
}

/** The folders that hold the system's programs, as far as they are folders of their own here. */
function programFolders(): readonly string[] {
  return PROGRAM_FOLDERS.filter((path) => statOf(path)?.isDirectory());
}

function isInterpreter(binary: Binary): boolean {
  return [...namesOf(binary), basename(binary.realPath)].some(runsCode);
}

function interpreterNote({ name }: Binary): string {
  return `exec: "${name}" is an interpreter, it can run anything it can read as code`;
}

function manyNote({ name, realPath }: Binary): readonly string[] {
  const file = basename(realPath);
  return MANY_IN_ONE.includes(file)
    ? [`exec: "${name}" is ${file} here, a file of many programs, and all of them can be run`]
    : [];
}
