import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Directory } from '../directory.js';

// Not in fs.constants; the value is the same on every Linux architecture that Node runs on.
const O_PATH = 0o10000000;
const OWNER_ALL = 0o700;
const MODES = 0o7777;
const PROGRAM_MS = 30_000;

/** Moves an entry to another folder of the same disk; a folder that its owner may not write is opened for that. */
export function moveEntry(parent: Directory, name: string, place: string): 'done' | 'other-disk' | 'failed' {
  const move = () => renameSync(parent.at(name), join(place, name));
  try {
    attempt(move, () => openEntry(parent, name));
    return 'done';
  } catch (error) {
    return codeOf(error) === 'EXDEV' ? 'other-disk' : 'failed';
  }
}

/** mv holds what it walks by descriptor. */
export function copyAway(parent: Directory, name: string, place: string): boolean {
  return run('/bin/mv', ['-t', place, '--', name], parent);
}

/** Removes an entry and all that is in it, whatever its modes. */
export function removeEntry(parent: Directory, name: string): boolean {
  try {
    removeTree(parent, name);
  } catch {
    // Deeper than there are descriptors, perhaps; rm needs few.
    run('/bin/rm', ['-rf', '--', name], parent);
  }
  return isGone(parent, name);
}

/** Lets the owner of a folder do everything in it, no link followed; what it was before, if that is possible. */
export function openEntry(parent: Directory, name: string): number | undefined {
  const flags = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  try {
    const descriptor = openSync(parent.at(name), flags);
    try {
      const mode = fstatSync(descriptor).mode & MODES;
      chmodSync(`/proc/self/fd/${descriptor}`, mode | OWNER_ALL);
      return mode;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

/** Does something in a folder that its owner may not be able to write; its mode stays what it is. */
export function withWritable<T>(folder: Directory, action: () => T): T {
  const mode = lstatSync(folder.at('.')).mode & MODES;
  if ((mode & OWNER_ALL) === OWNER_ALL) return action();
  const isOpened = tryChmod(folder, mode | OWNER_ALL);
  try {
    return action();
  } finally {
    if (isOpened) tryChmod(folder, mode);
  }
}

function tryChmod(folder: Directory, mode: number): boolean {
  try {
    chmodSync(folder.at('.'), mode);
    return true;
  } catch {
    return false;
  }
}

function removeTree(parent: Directory, name: string): void {
  if (!lstatSync(parent.at(name)).isDirectory()) {
    unlinkSync(parent.at(name));
    return;
  }
  openEntry(parent, name);
  const folder = parent.enter(name);
  try {
    for (const inner of readdirSync(folder.at('.'))) removeTree(folder, inner);
  } finally {
    folder.close();
  }
  rmdirSync(parent.at(name));
}

function attempt(action: () => void, prepare: () => void): void {
  try {
    action();
  } catch (error) {
    if (codeOf(error) !== 'EACCES' && codeOf(error) !== 'EPERM') throw error;
    prepare();
    action();
  }
}

function isGone(parent: Directory, name: string): boolean {
  try {
    return lstatSync(parent.at(name), { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

function run(program: string, args: readonly string[], parent: Directory): boolean {
  const options = { cwd: parent.at('.'), env: {}, stdio: 'ignore' as const, timeout: PROGRAM_MS };
  return spawnSync(program, args, options).status === 0;
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
