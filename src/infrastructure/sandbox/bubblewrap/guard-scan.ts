import { existsSync, readlinkSync } from 'node:fs';
import { isInside } from '../path-containment.js';
import type { PathPattern } from '../path-patterns.js';
import { FolderCache, identityOf, type Unseen } from './folder-cache.js';
import { type Findings, GuardJudge, type Visit } from './guard-judge.js';

/** What was found below the write roots that must not be written. */
export interface GuardScan {
  /** Each with what it is just now: the file itself, or where a link leads. */
  readonly guarded: ReadonlyMap<string, string>;
  /** Folders of which nobody knows what is in them, and why; `beyond` are those after too many others. */
  readonly unseen: ReadonlyMap<string, Unseen | 'beyond'>;
  /** Folders not called `.git` with something of a repository in them. */
  readonly marks: ReadonlyMap<string, readonly string[]>;
  /** Equal for equal findings. */
  readonly key: string;
}

/** How much is looked at. */
export interface ScanLimits {
  readonly folders: number;
  readonly entries: number;
}

/** Before each call, so it must not take long; what is beyond is held as a whole. */
const BEFORE: ScanLimits = { folders: 20_000, entries: 100_000 };
/** After a call, which must not be able to make more than is looked at. */
const AFTER: ScanLimits = { folders: 250_000, entries: 1_000_000 };
const LINK = 'link ';

/** Finds protected files and folders, near ones first; what did not change since the last time is not read again. */
export class GuardScanner {
  readonly #folders = new FolderCache<Findings>();
  readonly #judge: GuardJudge;
  #last: GuardScan | undefined;
  #lookedAt = 0;
  #roots = '';

  constructor(
    realWorkspace: string,
    private readonly protect: readonly PathPattern[],
    private readonly before = BEFORE,
    private readonly after = AFTER,
  ) {
    this.#judge = new GuardJudge(realWorkspace, protect);
  }

  /** A look that is not older than so many milliseconds will do. */
  scan(writeRoots: readonly string[], maxAgeMs: number): GuardScan {
    const now = performance.now();
    if (this.#last && now - this.#lookedAt < maxAgeMs && this.#roots === writeRoots.join('\0'))
      return this.#last;
    return this.#keep(this.#walk(writeRoots, this.before), { writeRoots, now });
  }

  /** A look at the disk as it is, and at more of it. */
  scanAfter(writeRoots: readonly string[]): GuardScan {
    const now = performance.now();
    const found = this.#walk(writeRoots, this.after);
    // What only a longer look can see is not what the next call is planned with.
    return found.unseen.size === 0 && this.#last?.unseen.size === 0
      ? this.#keep(found, { writeRoots, now })
      : found;
  }

  /** Has the next look go to the disk. */
  forget(): void {
    this.#lookedAt = Number.NEGATIVE_INFINITY;
  }

  #walk(writeRoots: readonly string[], limits: ScanLimits): GuardScan {
    const queue = new VisitQueue(writeRoots);
    const guarded = new Map(this.#named(writeRoots).map((path) => [path, stateOf(path)]));
    const unseen = new Map<string, Unseen | 'beyond'>();
    const marks = new Map<string, readonly string[]>();
    for (let count = 0, visit = queue.next(); visit; count++, visit = queue.next()) {
      const findings = count < limits.folders ? this.#look(visit, limits) : 'beyond';
      if (findings === undefined) continue;
      if (typeof findings === 'string') {
        unseen.set(visit.folder, findings);
        continue;
      }
      for (const path of findings.guarded) guarded.set(path, stateOf(path));
      if (findings.marks.length > 0) marks.set(visit.folder, findings.marks);
      queue.add(findings.folders);
    }
    return { guarded, unseen, marks, key: JSON.stringify([[...guarded], [...unseen], [...marks]]) };
  }

  /** What `protect` names outright is guarded however deep it lies. */
  #named(writeRoots: readonly string[]): readonly string[] {
    return this.protect
      .flatMap((pattern) => pattern.roots.filter(({ realPath }) => pattern.matches(realPath)))
      .map(({ realPath }) => realPath)
      .filter((path) => existsSync(path) && writeRoots.some((root) => isInside(path, root)));
  }

  #look(visit: Visit, { entries: maxEntries }: ScanLimits): Findings | Unseen | undefined {
    return this.#folders.read(visit.folder, {
      kind: visit.kind,
      maxEntries,
      derive: (entries) => this.#judge.judge(visit, entries),
    });
  }

  /** The same object for the same findings, so that what was made of it can be kept. */
  #keep(
    scan: GuardScan,
    { writeRoots, now }: { readonly writeRoots: readonly string[]; readonly now: number },
  ): GuardScan {
    this.#lookedAt = now;
    this.#roots = writeRoots.join('\0');
    this.#last = this.#last?.key === scan.key ? this.#last : scan;
    return this.#last;
  }
}

/** Folders of git come first, the rest as they were found: nobody can keep us from a `.git` with a lot of others. */
class VisitQueue {
  readonly #git: Visit[] = [];
  readonly #trees: Visit[];
  #nextGit = 0;
  #nextTree = 0;

  constructor(roots: readonly string[]) {
    this.#trees = roots.map((folder) => ({ folder, kind: 'tree' }));
  }

  add(visits: readonly Visit[]): void {
    for (const visit of visits) (visit.kind === 'tree' ? this.#trees : this.#git).push(visit);
  }

  next(): Visit | undefined {
    return this.#nextGit < this.#git.length ? this.#git[this.#nextGit++] : this.#trees[this.#nextTree++];
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
