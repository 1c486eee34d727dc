import { existsSync, mkdirSync, statSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { ToolgateError } from '../../domain/errors.js';
import { sha256 } from './chain.js';

const RUN_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** `$XDG_STATE_HOME/toolgate`: where runs are kept, by workspace. */
export function stateHome(env: Readonly<Record<string, string | undefined>>): string {
  const base = env.XDG_STATE_HOME;
  // The XDG rules: a relative path is to be ignored.
  return join(base?.startsWith('/') ? base : join(env.HOME ?? homeFolder(), '.local', 'state'), 'toolgate');
}

function homeFolder(): string {
  try {
    return homedir();
  } catch (cause) {
    const message =
      'This user has no home folder to keep runs in. Set XDG_STATE_HOME to a folder of your own.';
    throw new ToolgateError('SYSTEM.JOURNAL.UNWRITABLE', message, { cause });
  }
}

/** The runs of one workspace. Refuses a place inside the workspace: there an agent could write its own approvals. */
export async function runsFolder(home: string, workspace: string): Promise<string> {
  return join(await workspaceFolder(home, workspace), 'runs');
}

/** Where all of a workspace is kept: its runs, and what people said "always" to. */
export async function workspaceFolder(home: string, workspace: string): Promise<string> {
  const real = await realpath(workspace);
  const way = relative(real, await nearestReal(home));
  if (!way.startsWith('..')) {
    throw new ToolgateError(
      'SYSTEM.JOURNAL.UNWRITABLE',
      `Runs would be kept in ${home}, inside the workspace ${real}, where tools can reach them. ` +
        'Set XDG_STATE_HOME to a folder outside, or choose a narrower --workspace.',
    );
  }
  return join(home, sha256(real).slice(0, 16));
}

/** Makes a folder and those above it. Node's own recursive `mkdir` never returns where nothing can be made (/proc). */
export function makeFolders(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && statSync(path).isDirectory()) return;
    if (code !== 'ENOENT' || existsSync(dirname(path))) throw error;
    makeFolders(dirname(path));
    mkdirSync(path, { mode: 0o700 });
  }
}

/** The folder of a run, wherever its workspace is; `undefined` if there is none. */
export async function findRun(home: string, runId: string): Promise<string | undefined> {
  if (!RUN_ID.test(runId)) return undefined;
  for (const workspace of await namesIn(home)) {
    const folder = join(home, workspace, 'runs', runId);
    if (await exists(folder)) return folder;
  }
  return undefined;
}

export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** The real path of the nearest ancestor that exists, since the state folder itself may not yet. */
async function nearestReal(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = join(path, '..');
    return parent === path ? path : join(await nearestReal(parent), relative(parent, path));
  }
}
