import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isInside } from './path-containment.js';
import type { PathPattern } from './path-patterns.js';
import { shown } from './shown.js';

const MAX_ENTRIES = 20_000;

/**
 * Why a tree may not be copied, moved or written into by a program that nothing contains; undefined if it may. A
 * link in it would be followed, or would stand under a name that nobody looked at. What is no folder is no tree.
 */
export function linkProblem(realPath: string): string | undefined {
  return search(realPath, (path, entry) =>
    entry.isSymbolicLink() ? `${shown(path)} is a link, which it may follow` : undefined,
  );
}

/** Which rule forbids something in a tree, though not the tree itself; undefined if none does. */
export function ruleInside(
  realPath: string,
  rules: readonly PathPattern[],
): PathPattern | string | undefined {
  const roots = (rule: PathPattern) => rule.roots.filter((root) => isInside(root.realPath, realPath));
  const named = rules.find((rule) =>
    roots(rule).some((root) => root.covers !== 'some' && isThere(root.realPath)),
  );
  if (named) return named;
  const wide = rules.filter((rule) =>
    rule.roots.some(
      (root) =>
        root.covers === 'some' && (isInside(root.realPath, realPath) || isInside(realPath, root.realPath)),
    ),
  );
  if (wide.length === 0) return undefined;
  return search(realPath, (path) => wide.find((rule) => rule.matches(path)));
}

/** The first thing that is found, or a sentence that there is too much to look through. */
function search<T>(
  realPath: string,
  find: (path: string, entry: Dirent) => T | undefined,
): T | string | undefined {
  const queue = [realPath];
  let entries = 0;
  for (const folder of queue) {
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      const found = find(path, entry);
      if (found !== undefined) return found;
      entries += 1;
      if (entries > MAX_ENTRIES) return `${shown(realPath)} has too much in it to be searched`;
      if (entry.isDirectory()) queue.push(path);
    }
  }
  return undefined;
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** A path that cannot be looked at counts as missing: it cannot be reached either. */
export function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
