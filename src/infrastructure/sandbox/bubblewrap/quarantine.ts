import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Directory, openRoot } from '../directory.js';
import { segmentsOf } from '../path-containment.js';
import { type GuardScan, linkTarget } from './guard-scan.js';

const RULE = 'a process may not make files of this name, which others obey';
const MAX_AT_ONCE = 500;
const MAX_SAID = 20;

/** When each was taken away last: what comes back is new, though another call may have found it there. */
const takenAt = new Map<string, number>();

export interface Scans {
  readonly before: GuardScan;
  readonly after: GuardScan;
  /** When the process was started, by performance.now(). */
  readonly since: number;
}

/** Protected names that were made, or exchanged, while a process ran; before it they were not there. */
export function newcomersOf({ before, after, since }: Scans): readonly string[] {
  return [...after.guarded].flatMap(([path, state]) => {
    const earlier = before.guarded.get(path);
    // A mount cannot be exchanged; where nothing could be mounted, as on a link, it shows here.
    const isExchanged = earlier !== undefined && linkTarget(earlier) !== undefined && earlier !== state;
    const isBack = (takenAt.get(path) ?? Number.NEGATIVE_INFINITY) >= since;
    return earlier === undefined || isExchanged || isBack ? [path] : [];
  });
}

/**
 * Takes newcomers out of the workspace, so that nothing outside of the sandbox obeys them: into `folder`, or away
 * where there is none. Says what it did.
 */
export async function quarantine(
  paths: readonly string[],
  { before, folder }: { readonly before: GuardScan; readonly folder: string | undefined },
): Promise<readonly string[]> {
  const said: string[] = [];
  for (const [parent, names] of byFolder(paths)) {
    for (const name of names) takenAt.set(join(parent, name), performance.now());
    const how = await takeAway(parent, names, folder);
    for (const name of names) restore(join(parent, name), before.guarded.get(join(parent, name)) ?? '');
    said.push(...names.map((name) => `"${join(parent, name)}" ${how}: ${RULE}`));
  }
  const more = said.length - MAX_SAID;
  return more > 0 ? [...said.slice(0, MAX_SAID), `${more} more files were treated in the same way`] : said;
}

/** A thousand at once cost no more than one, or a process could keep us busy for hours. */
function byFolder(paths: readonly string[]): readonly (readonly [string, readonly string[]])[] {
  const folders = new Map<string, string[]>();
  for (const path of paths)
    folders.set(dirname(path), [...(folders.get(dirname(path)) ?? []), basename(path)]);
  return [...folders].flatMap(([folder, names]) =>
    Array.from({ length: Math.ceil(names.length / MAX_AT_ONCE) }, (_, index) => {
      const start = index * MAX_AT_ONCE;
      return [folder, names.slice(start, start + MAX_AT_ONCE)] as const;
    }),
  );
}

async function takeAway(folder: string, names: readonly string[], keep: string | undefined): Promise<string> {
  const parent = tryEnter(folder);
  if (!parent) return 'could not be taken away';
  try {
    const place = keep === undefined ? undefined : makePlace(keep);
    const moved = place !== undefined && (await run('/bin/mv', ['-t', place, '--', ...names], parent));
    if (moved) return `was moved to "${place}"`;
    return (await run('/bin/rm', ['-rf', '--', ...names], parent)) ? 'was removed' : 'could not be removed';
  } finally {
    parent.close();
  }
}

/** A link that stood there leads where it led. */
function restore(path: string, earlier: string): void {
  const target = linkTarget(earlier);
  const parent = target === undefined ? undefined : tryEnter(dirname(path));
  if (target === undefined || !parent) return;
  try {
    symlinkSync(target, parent.at(basename(path)));
  } catch {
    // What could not be removed is still in its place, and has been said.
  } finally {
    parent.close();
  }
}

let count = 0;

function makePlace(folder: string): string | undefined {
  const place = join(folder, 'quarantine', `${Date.now()}-${++count}`);
  try {
    mkdirSync(place, { recursive: true, mode: 0o700 });
    return place;
  } catch {
    return undefined;
  }
}

/** Held by descriptor: another call that still runs may be putting links where folders were. */
function tryEnter(folder: string): Directory | undefined {
  let directory = openRoot(folder);
  try {
    for (const name of segmentsOf(folder)) {
      const next = directory.enter(name);
      directory.close();
      directory = next;
    }
    return directory;
  } catch {
    directory.close();
    return undefined;
  }
}

/** mv and rm hold what they walk by descriptor, which Node's own functions do not. */
async function run(program: string, args: readonly string[], parent: Directory): Promise<boolean> {
  const child = spawn(program, args, { cwd: parent.at('.'), env: {}, stdio: 'ignore', timeout: 30_000 });
  try {
    const [code] = (await once(child, 'exit')) as unknown[];
    return code === 0;
  } catch {
    return false;
  }
}
