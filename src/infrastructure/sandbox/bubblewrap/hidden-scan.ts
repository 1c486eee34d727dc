import { type Dirent, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { DeniedError } from '../../../domain/errors.js';
import { isInside } from '../path-containment.js';
import type { PathPattern, PatternRoot } from '../path-patterns.js';
import { FolderCache, statOf } from './folder-cache.js';

interface Findings {
  readonly matching: readonly string[];
  readonly folders: readonly string[];
}

const MAX_FOLDERS = 5_000;
const MAX_HIDDEN = 128;

/**
 * Finds what rules of `deny` forbid, as far as a process would see it. A rule that is too wide to be looked
 * through is refused: half of a prohibition is none.
 */
export class HiddenScanner {
  readonly #folders: readonly FolderCache<Findings>[];

  constructor(private readonly deny: readonly PathPattern[]) {
    this.#folders = deny.map(() => new FolderCache<Findings>());
  }

  /** Real paths, folders with a slash at the end, in order. The system is hidden only where a rule names a place in it. */
  scan(visible: readonly string[], system: readonly string[]): readonly string[] {
    const found = new Set<string>();
    for (const [index, pattern] of this.deny.entries()) {
      for (const path of this.#matches(pattern, index, visible))
        addVisible(found, path, [...visible, ...system]);
    }
    if (found.size > MAX_HIDDEN) {
      throw new DeniedError(
        `The process is refused: rules of deny match ${found.size} files, and no more than ${MAX_HIDDEN} can be hidden; deny their folder instead`,
      );
    }
    return outermost([...found]).sort();
  }

  #matches(pattern: PathPattern, index: number, visible: readonly string[]): readonly string[] {
    return pattern.roots.flatMap((root) => {
      if (root.covers !== 'some') return [root.realPath];
      return startsOf(root, visible).flatMap((start) => this.#walk(pattern, index, { start, root }));
    });
  }

  #walk(
    pattern: PathPattern,
    index: number,
    { start, root }: { readonly start: string; readonly root: PatternRoot },
  ): readonly string[] {
    if (pattern.matches(start)) return [start];
    const queue = [start];
    const matching: string[] = [];
    const deepest = depthOf(root.realPath) + root.depth;
    for (const folder of queue) {
      if (queue.length > MAX_FOLDERS) throw tooWide(pattern);
      const found = this.#folders[index]?.get(folder, (entries) => judge(pattern, folder, entries));
      matching.push(...(found?.matching ?? []));
      if (depthOf(folder) + 1 < deepest) queue.push(...(found?.folders ?? []));
    }
    return matching;
  }
}

function judge(pattern: PathPattern, folder: string, entries: readonly Dirent[]): Findings {
  const matching: string[] = [];
  const folders: string[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (pattern.matches(path)) matching.push(path);
    else if (entry.isDirectory()) folders.push(path);
  }
  return { matching, folders };
}

/** Below the pattern's own root, or below each visible root that lies in it. */
function startsOf({ realPath }: PatternRoot, visible: readonly string[]): readonly string[] {
  if (visible.some((root) => isInside(realPath, root))) return [realPath];
  return visible.filter((root) => isInside(root, realPath));
}

/** What lies in a hidden folder is gone with it, and nothing can be laid over what is gone. */
export function outermost(paths: readonly string[]): string[] {
  const folders = paths.filter((path) => path.endsWith('/'));
  return paths.filter((path) => !folders.some((folder) => path !== folder && path.startsWith(folder)));
}

/** A link is hidden by hiding what it leads to, for nothing can be laid over a link. */
function addVisible(found: Set<string>, path: string, visible: readonly string[]): void {
  const real = realPathOrNothing(path);
  const stat = real === undefined ? undefined : statOf(real);
  if (real === undefined || !stat) return;
  const places = visible.some((root) => isInside(real, root))
    ? [real]
    : visible.filter((root) => isInside(root, real));
  for (const place of places) found.add(statOf(place)?.isDirectory() ? `${place}/` : place);
}

function realPathOrNothing(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function depthOf(path: string): number {
  return path.split('/').length;
}

function tooWide({ source }: PathPattern): DeniedError {
  return new DeniedError(
    `The process is refused: the rule deny: "${source}" covers more than ${MAX_FOLDERS} folders, which is more than can be searched for what to hide; deny a folder, or a narrower pattern`,
  );
}
