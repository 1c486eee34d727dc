import { readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { DeniedError } from '../../../domain/errors.js';
import { isInside } from '../path-containment.js';
import { identityFrom, identityOf, statOf } from './folder-cache.js';
import { outermost } from './hidden-scan.js';

const MAX_ENTRIES = 100_000;

interface Remembered {
  readonly path: string;
  readonly isFolder: boolean;
}

/**
 * Keeps hidden what was hidden once: a file that matches no rule any more, because it or its folder got another
 * name, is still the same file. Only what can be renamed by a process is remembered, that is, below write roots.
 */
export class HiddenMemory {
  readonly #known = new Map<string, Remembered>();

  constructor(private readonly maxEntries = MAX_ENTRIES) {}

  /** The hidden paths, with those that were hidden under another name. Refuses if it cannot tell where one went. */
  complete(hidden: readonly string[], writeRoots: readonly string[]): readonly string[] {
    const now = new Set(hidden.map((path) => this.#remember(path, writeRoots)));
    const strayed = [...this.#known].filter(([identity]) => !now.has(identity));
    if (strayed.length === 0) return hidden;
    const moved = strayed.filter(([identity, { path }]) => identityOf(path) !== identity);
    if (moved.length > 0) this.#follow(new Set(moved.map(([identity]) => identity)), writeRoots);
    const found = strayed.flatMap(([identity]) => this.#known.get(identity) ?? []);
    const again = found.map(({ path, isFolder }) => (isFolder ? `${path}/` : path));
    return outermost([...new Set([...hidden, ...again])]).sort();
  }

  #remember(hidden: string, writeRoots: readonly string[]): string {
    const isFolder = hidden.endsWith('/');
    const path = isFolder ? hidden.slice(0, -1) : hidden;
    const identity = identityOf(path);
    const isMovable = writeRoots.some((root) => path !== root && isInside(path, root));
    if (identity !== '' && isMovable) this.#known.set(identity, { path, isFolder });
    return identity;
  }

  /** Looks for all of them at once. What is nowhere has been removed. */
  #follow(wanted: ReadonlySet<string>, writeRoots: readonly string[]): void {
    const missing = new Set(wanted);
    let looked = 0;
    for (const [path, stat] of entriesBelow(writeRoots)) {
      if (missing.size === 0) return;
      if (++looked > this.maxEntries) throw lost([...missing].flatMap((one) => this.#known.get(one) ?? []));
      const identity = identityFrom(stat);
      if (missing.delete(identity)) this.#known.set(identity, { path, isFolder: stat.isDirectory() });
    }
    for (const identity of missing) this.#known.delete(identity);
  }
}

/** Everything below folders, near ones first, links not followed. */
function* entriesBelow(roots: readonly string[]): Generator<readonly [string, Stats]> {
  const queue = [...roots];
  for (const folder of queue) {
    for (const name of namesIn(folder)) {
      const path = join(folder, name);
      const stat = statOf(path);
      if (!stat) continue;
      if (stat.isDirectory()) queue.push(path);
      yield [path, stat];
    }
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function lost(places: readonly Remembered[]): DeniedError {
  const paths = places.map(({ path }) => `"${path}"`).join(', ');
  return new DeniedError(
    `The process is refused: ${paths} was hidden by a rule of deny and is no longer there, and there are too many files to see whether it has another name now; begin a new run`,
  );
}
