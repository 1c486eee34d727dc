import { execFileSync } from 'node:child_process';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The installed bwrap, and what it can do. */
export interface BwrapBinary {
  readonly path: string;
  knows(option: string): boolean;
}

const PLACES = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap'];
const HELP_TIMEOUT_MS = 5_000;
const WRITABLE_BY_OTHERS = 0o022;

let found: BwrapBinary | string | undefined;

/** The one to use, or why there is none. Only a system's own is taken: never from PATH, never one that others can change. */
export function findBwrap(): BwrapBinary | string {
  found ??= search(PLACES);
  return found;
}

function search(places: readonly string[]): BwrapBinary | string {
  if (process.platform !== 'linux') return `bubblewrap is for Linux, and this is ${process.platform}`;
  const path = places.find(isProgram);
  if (path === undefined) {
    return 'bubblewrap is not installed: install the package "bubblewrap" (apt-get install bubblewrap, dnf install bubblewrap, apk add bubblewrap)';
  }
  const real = realpathSync(path);
  if (!isTrusted(real)) {
    return `"${real}" is not trusted: it must belong to root, and nobody else may be able to write it or its folder`;
  }
  return { path: real, knows: knownOptions(real) };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Whether only root can have put it there; for what is run outside of any sandbox. Given without links. */
export function isTrusted(path: string): boolean {
  return ![path, dirname(path)].some(isChangeable);
}

function isChangeable(path: string): boolean {
  const { uid, mode } = statSync(path);
  return uid !== 0 || (mode & WRITABLE_BY_OTHERS) !== 0;
}

/** Options came with versions, and distributions add some to old ones: its own help is what counts. */
function knownOptions(path: string): BwrapBinary['knows'] {
  let options: ReadonlySet<string> | undefined;
  return (option) => {
    options ??= new Set(helpOf(path).match(/(?<=^\s*)--[a-z0-9-]+/gm));
    return options.has(option);
  };
}

function helpOf(path: string): string {
  try {
    return execFileSync(path, ['--help'], { env: {}, encoding: 'utf8', timeout: HELP_TIMEOUT_MS });
  } catch {
    return '';
  }
}
