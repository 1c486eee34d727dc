import { type Dirent, existsSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isInside } from '../path-containment.js';
import type { PathPattern } from '../path-patterns.js';
import { isProtectedName } from '../protected-paths.js';
import { FolderCache, identityOf } from './folder-cache.js';
import { type GitFolder, isBareRepository, judgeGitEntry } from './git-guards.js';

/** What was found below the write roots that must not be written. */
export interface GuardScan {
  /** Each with what it is just now: the file itself, or where a link leads. */
  readonly guarded: ReadonlyMap<string, string>;
  /** False if there were more folders than are looked into. */
  readonly isComplete: boolean;
  /** Equal for equal findings. */
  readonly key: string;
}

interface Visit {
  readonly folder: string;
  readonly kind: 'tree' | GitFolder;
}

interface Findings {
  readonly guarded: readonly string[];
  readonly folders: readonly Visit[];
}

const MAX_FOLDERS = 1_000;
const LINK = 'link ';

/** Finds protected files and folders, near ones first; what did not change since the last time is not read again. */
export class GuardScanner {
  readonly #folders = new FolderCache<Findings>();
  #last: GuardScan | undefined;
  #lookedAt = 0;
  #roots = '';

  constructor(
    private readonly realWorkspace: string,
    private readonly protect: readonly PathPattern[],
  ) {}

  /** A look that is not older than so many milliseconds will do. */
  scan(writeRoots: readonly string[], maxAgeMs: number): GuardScan {
    const now = performance.now();
    if (this.#last && now - this.#lookedAt < maxAgeMs && this.#roots === writeRoots.join('\0'))
      return this.#last;
    this.#lookedAt = now;
    this.#roots = writeRoots.join('\0');
    return this.#keep(this.#walk(writeRoots));
  }

  /** Has the next look go to the disk. */
  forget(): void {
    this.#lookedAt = Number.NEGATIVE_INFINITY;
  }

  #walk(writeRoots: readonly string[]): GuardScan {
    const queue: Visit[] = writeRoots.map((folder) => ({ folder, kind: 'tree' }));
    const guarded = new Map(this.#named(writeRoots).map((path) => [path, stateOf(path)]));
    for (let index = 0; index < Math.min(queue.length, MAX_FOLDERS); index++) {
      const findings = this.#look(queue[index]);
      for (const path of findings?.guarded ?? []) guarded.set(path, stateOf(path));
      queue.push(...(findings?.folders ?? []));
    }
    return { guarded, isComplete: queue.length <= MAX_FOLDERS, key: JSON.stringify([...guarded]) };
  }

  /** What `protect` names outright is guarded however deep it lies. */
  #named(writeRoots: readonly string[]): readonly string[] {
    return this.protect
      .flatMap((pattern) => pattern.roots.filter(({ realPath }) => pattern.matches(realPath)))
      .map(({ realPath }) => realPath)
      .filter((path) => existsSync(path) && writeRoots.some((root) => isInside(path, root)));
  }

  #look(visit: Visit | undefined): Findings | undefined {
    return visit && this.#folders.get(visit.folder, (entries) => this.#judgeAll(visit, entries));
  }

  /** The same object for the same findings, so that what was made of it can be kept. */
  #keep(scan: GuardScan): GuardScan {
    const isSame = this.#last?.key === scan.key && this.#last.isComplete === scan.isComplete;
    this.#last = isSame && this.#last ? this.#last : scan;
    return this.#last;
  }

  #judgeAll({ folder, kind: given }: Visit, entries: readonly Dirent[]): Findings {
    const kind = given === 'tree' && isBareRepository(entries) ? 'git' : given;
    const guarded: string[] = [];
    const folders: Visit[] = [];
    for (const entry of entries) {
      const path = join(folder, entry.name);
      const verdict = this.#judge(entry, path, { folder, kind });
      if (verdict === 'guard') guarded.push(path);
      else if (verdict) folders.push({ folder: path, kind: verdict });
    }
    return { guarded, folders };
  }

  #judge(entry: Dirent, path: string, { folder, kind }: Visit): 'guard' | Visit['kind'] | undefined {
    if (this.protect.some((pattern) => pattern.matches(path))) return 'guard';
    if (kind !== 'tree') return judgeGitEntry(entry, kind);
    // All of it would be too much: git has to write there.
    if (entry.name === '.git' && entry.isDirectory()) return 'git';
    if (isProtectedName(entry.name, folder === this.realWorkspace ? undefined : basename(folder)))
      return 'guard';
    return entry.isDirectory() && entry.name !== 'node_modules' ? 'tree' : undefined;
  }
}

/** Where a guarded link leads, as written; undefined for what is no link. */
export function linkTarget(state: string): string | undefined {
  return state.startsWith(LINK) ? state.slice(LINK.length) : undefined;
}

function stateOf(path: string): string {
  try {
    return `${LINK}${readlinkSync(path)}`;
  } catch {
    return identityOf(path);
  }
}
