import { constants, type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs';

interface Known<T> {
  readonly stamp: string;
  /** False while the folder may still change within the clock's own step: then it is read again. */
  readonly isSettled: boolean;
  readonly value: T;
}

const SETTLED_MS = 100;
const MAX_KNOWN = 50_000;

/** What was made of a folder's entries, kept until the folder changes: a look at a folder is cheaper than a reading. */
export class FolderCache<T> {
  readonly #known = new Map<string, Known<T>>();

  /** Undefined for what is no folder, or cannot be read. */
  get(folder: string, derive: (entries: readonly Dirent[]) => T): T | undefined {
    const stat = statOf(folder);
    if (!stat?.isDirectory()) return undefined;
    // Not mtime, which anybody can set.
    const stamp = `${stat.dev}:${stat.ino}:${stat.ctimeMs}`;
    const known = this.#known.get(folder);
    if (known?.isSettled && known.stamp === stamp) return known.value;
    return this.#read(folder, stamp, { derive, isSettled: Date.now() - stat.ctimeMs > SETTLED_MS });
  }

  #read(
    folder: string,
    stamp: string,
    {
      derive,
      isSettled,
    }: { readonly derive: (entries: readonly Dirent[]) => T; readonly isSettled: boolean },
  ): T | undefined {
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    try {
      const value = derive(readdirSync(folder, { withFileTypes: true }));
      this.#known.set(folder, { stamp, isSettled, value });
      return value;
    } catch {
      return undefined;
    }
  }
}

/** What stands at a path, links not followed; undefined if nothing does, or nobody may look. */
export function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The same for the same file or folder, whatever its path; empty if there is none. */
export function identityOf(path: string): string {
  const stat = statOf(path);
  return stat ? identityFrom(stat) : '';
}

/** Numbers of files are given again at once, so the time of birth counts, where the disk knows it. */
export function identityFrom({ dev, ino, birthtimeMs, mode }: Stats): string {
  return `${dev}:${ino}:${birthtimeMs}:${mode & constants.S_IFMT}`;
}
