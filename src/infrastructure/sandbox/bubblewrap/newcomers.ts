import { dirname, join } from 'node:path';
import { isRepository } from './git-guards.js';
import { type GuardScan, linkTarget } from './guard-scan.js';

export interface Scans {
  readonly before: GuardScan;
  readonly after: GuardScan;
  /** When the process was started, by performance.now(). */
  readonly since: number;
}

/** When each was taken away last: what comes back is new, though another call may have found it there. */
const takenAt = new Map<string, number>();

/** Remembers that something was taken away just now. */
export function noteTaken(path: string): void {
  takenAt.set(path, performance.now());
}

/** What was taken away before this moment can no longer come back in a call that was running then. */
export function forgetTaken(before: number): void {
  for (const [path, at] of takenAt) if (at < before) takenAt.delete(path);
}

/**
 * Protected names that were made, or exchanged, while a process ran. What lies where nobody could look before is
 * not among them: it was held, so it is as it was. Times are no proof of that, for a file keeps its own when the
 * folder around it is moved. Where a folder was made a repository, only what made it one is told: without that,
 * the rest is to be looked at again, for it may be anybody's.
 */
export function newcomersOf({ before, after, since }: Scans): readonly string[] {
  const parts = madeRepositories(before, after).flatMap((folder) => newMarks(folder, before, after));
  if (parts.length > 0) return parts;
  return [...after.guarded].flatMap(([path, state]) => {
    const earlier = before.guarded.get(path);
    // A mount cannot be exchanged; where nothing could be mounted, as on a link, it shows here.
    const isExchanged = earlier !== undefined && linkTarget(earlier) !== undefined && earlier !== state;
    const isBack = (takenAt.get(path) ?? Number.NEGATIVE_INFINITY) >= since;
    if (isExchanged || isBack) return [path];
    return earlier === undefined && !isBelow(path, before.unseen) ? [path] : [];
  });
}

/** Folders that nobody could look into when a process had ended, though it was possible before. */
export function newlyUnseen(before: GuardScan, after: GuardScan): readonly string[] {
  return [...after.unseen.keys()].filter((path) => !isBelow(join(path, 'inside'), before.unseen));
}

/** Folders that git takes for repositories now, and did not before. */
function madeRepositories(before: GuardScan, after: GuardScan): readonly string[] {
  return [...after.marks].flatMap(([folder, marks]) => {
    const isNew = isRepository(marks) && !isRepository(before.marks.get(folder) ?? []);
    return isNew && !isBelow(join(folder, 'HEAD'), before.unseen) ? [folder] : [];
  });
}

/** What was added to make it one. */
function newMarks(folder: string, before: GuardScan, after: GuardScan): readonly string[] {
  const earlier = before.marks.get(folder) ?? [];
  const added = (after.marks.get(folder) ?? []).filter((mark) => !earlier.includes(mark));
  return (added.includes('HEAD') ? ['HEAD'] : added).map((mark) => join(folder, mark));
}

function isBelow(path: string, folders: ReadonlyMap<string, unknown>): boolean {
  if (folders.size === 0) return false;
  for (let place = dirname(path); place !== dirname(place); place = dirname(place))
    if (folders.has(place)) return true;
  return false;
}
