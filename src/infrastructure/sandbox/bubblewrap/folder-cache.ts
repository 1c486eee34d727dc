import { accessSync, constants, type Dirent, lstatSync, opendirSync, readdirSync, type Stats } from 'node:fs';

/** Why nothing is known of what is in a folder: nobody may look, or there is more than is looked at. */
export type Unseen = 'closed' | 'crowded';

interface Known<T> {
  readonly stamp: string;
  /** False while the folder may still change within the clock's own step: then it is read again. */
  readonly isSettled: boolean;
  readonly maxEntries: number;
  readonly value: T | Unseen;
}

/** How to read a folder that is not known yet. */
export interface Reading<T> {
  /** The same folder is another thing to another kind of reader. */
  readonly kind: string;
  readonly maxEntries: number;
  readonly derive: (entries: readonly Dirent[]) => T;
}

const SETTLED_MS = 100;
const MAX_KNOWN = 50_000;
/** The fewest bytes that a name takes in a folder, on any disk. */
const BYTES_PER_ENTRY = 4;
const BUFFERED_ENTRIES = 1_024;

/** What was made of a folder's entries, kept until the folder changes: a look at a folder is cheaper than a reading. */
export class FolderCache<T> {
  readonly #known = new Map<string, Known<T>>();

  /** Undefined for what is no folder, or cannot be read. */
  get(folder: string, derive: (entries: readonly Dirent[]) => T): T | undefined {
    const value = this.read(folder, { kind: '', maxEntries: Number.POSITIVE_INFINITY, derive });
    return value === 'closed' || value === 'crowded' ? undefined : value;
  }

  /** Undefined for what is no folder. */
  read(folder: string, reading: Reading<T>): T | Unseen | undefined {
    const stat = statOf(folder);
    if (!stat?.isDirectory()) return undefined;
    // Not mtime, which anybody can set.
    const stamp = `${stat.dev}:${stat.ino}:${stat.ctimeMs}`;
    const key = `${reading.kind}:${folder}`;
    const known = this.#known.get(key);
    if (known?.isSettled && known.stamp === stamp && isEnough(known, reading)) return known.value;
    const value = deriveFrom(folder, stat.size, reading);
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    const isSettled = Date.now() - stat.ctimeMs > SETTLED_MS;
    if (value !== undefined)
      this.#known.set(key, { stamp, isSettled, maxEntries: reading.maxEntries, value });
    return value;
  }
}

function isEnough<T>({ value, maxEntries }: Known<T>, reading: Reading<T>): boolean {
  // Whether a folder can be read depends on more than the folder.
  return value !== 'closed' && (value !== 'crowded' || maxEntries >= reading.maxEntries);
}

function deriveFrom<T>(
  folder: string,
  bytes: number,
  { maxEntries, derive }: Reading<T>,
): T | Unseen | undefined {
  try {
    const entries =
      bytes <= maxEntries * BYTES_PER_ENTRY
        ? readdirSync(folder, { withFileTypes: true })
        : readSome(folder, maxEntries);
    if (entries.length > maxEntries) return 'crowded';
    // Names without a way to what they stand for are of no use.
    accessSync(folder, constants.X_OK);
    return derive(entries);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : 'closed';
  }
}

/** One more than is asked for, if there are more. */
function readSome(folder: string, maxEntries: number): readonly Dirent[] {
  const directory = opendirSync(folder, { bufferSize: BUFFERED_ENTRIES });
  const entries: Dirent[] = [];
  try {
    while (entries.length <= maxEntries) {
      const entry = directory.readSync();
      if (!entry) break;
      entries.push(entry);
    }
    return entries;
  } finally {
    directory.closeSync();
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
