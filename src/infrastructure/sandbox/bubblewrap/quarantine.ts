import { mkdirSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Directory, openRoot } from '../directory.js';
import { segmentsOf } from '../path-containment.js';
import { type GuardScan, linkTarget } from './guard-scan.js';
import { noteTaken } from './newcomers.js';
import { copyAway, moveEntry, removeEntry, withWritable } from './take-entry.js';

const RULE = 'a process may not make files of this name, which others obey';
const MAX_SAID = 20;

export interface Quarantined {
  readonly said: readonly string[];
  /** What is still where it was. */
  readonly stuck: readonly string[];
}

/**
 * Takes newcomers out of the workspace, so that nothing outside of the sandbox obeys them: into `folder`, or away
 * where there is none. All in one go, for whoever waits for the call may give up at any time, and end us.
 */
export function quarantine(
  paths: readonly string[],
  { before, folder }: { readonly before: GuardScan; readonly folder: string | undefined },
): Quarantined {
  const said: string[] = [];
  const stuck: string[] = [];
  for (const [parent, names] of byFolder(paths)) {
    for (const [name, how] of takeAll(parent, names, folder)) {
      const path = join(parent, name);
      noteTaken(path);
      if (how === undefined) stuck.push(path);
      else said.push(`"${path}" ${how}: ${RULE}`);
      restore(path, before.guarded.get(path) ?? '');
    }
  }
  const more = said.length - MAX_SAID;
  const shown =
    more > 0 ? [...said.slice(0, MAX_SAID), `${more} more files were treated in the same way`] : said;
  return { said: shown, stuck };
}

function byFolder(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const folders = new Map<string, string[]>();
  for (const path of paths) {
    const names = folders.get(dirname(path));
    if (names) names.push(basename(path));
    else folders.set(dirname(path), [basename(path)]);
  }
  return folders;
}

/** What became of each; undefined if it is still there. */
function takeAll(
  folder: string,
  names: readonly string[],
  keep: string | undefined,
): readonly (readonly [string, string | undefined])[] {
  const parent = enterFolder(folder);
  if (!parent) return names.map((name) => [name, undefined]);
  try {
    return withWritable(parent, () => {
      const place = keep === undefined ? undefined : makePlace(keep);
      return names.map((name) => [name, takeOne(parent, name, place)] as const);
    });
  } finally {
    parent.close();
  }
}

function takeOne(parent: Directory, name: string, place: string | undefined): string | undefined {
  if (place !== undefined) {
    const moved = moveEntry(parent, name, place);
    if (moved === 'done' || (moved === 'other-disk' && copyAway(parent, name, place)))
      return `was moved to "${place}"`;
  }
  return removeEntry(parent, name) ? 'was removed' : undefined;
}

/** A link that stood there leads where it led. */
function restore(path: string, earlier: string): void {
  const target = linkTarget(earlier);
  const parent = target === undefined ? undefined : enterFolder(dirname(path));
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
export function enterFolder(folder: string): Directory | undefined {
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
