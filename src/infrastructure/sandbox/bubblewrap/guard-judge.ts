import type { Dirent } from 'node:fs';
import { basename, join } from 'node:path';
import type { PathPattern } from '../path-patterns.js';
import { isProtectedName, isProtectedParent } from '../protected-paths.js';
import { type GitFolder, isRepository, judgeGitEntry, repositoryMarks } from './git-guards.js';

/** A folder to look into, and what it is. */
export interface Visit {
  readonly folder: string;
  readonly kind: 'tree' | GitFolder;
}

/** What a folder's entries come to. */
export interface Findings {
  readonly guarded: readonly string[];
  readonly folders: readonly Visit[];
  /** Of a tree: names that make a repository, if they are all there. */
  readonly marks: readonly string[];
}

/** Says of the entries of a folder which ones must not be written, and which ones are to be looked into. */
export class GuardJudge {
  constructor(
    private readonly realWorkspace: string,
    private readonly protect: readonly PathPattern[],
  ) {}

  judge({ folder, kind }: Visit, entries: readonly Dirent[]): Findings {
    const marks = kind === 'tree' ? repositoryMarks(entries) : [];
    const isBare = isRepository(marks);
    const guarded: string[] = [];
    const folders: Visit[] = [];
    for (const entry of entries) {
      const path = join(folder, entry.name);
      // A repository that is a tree as well is both: else any folder could be made to look like one.
      const verdict =
        (isBare ? judgeGitEntry(entry, 'git') : undefined) ?? this.#judgeEntry(entry, path, { folder, kind });
      if (verdict === 'guard') guarded.push(path);
      else if (verdict) folders.push({ folder: path, kind: verdict });
    }
    return { guarded, folders, marks };
  }

  #judgeEntry(entry: Dirent, path: string, { folder, kind }: Visit): 'guard' | Visit['kind'] | undefined {
    if (this.protect.some((pattern) => pattern.matches(path))) return 'guard';
    if (kind !== 'tree') return judgeGitEntry(entry, kind);
    // All of it would be too much: git has to write there.
    if (entry.name === '.git' && entry.isDirectory()) return 'git';
    if (isProtectedName(entry.name, folder === this.realWorkspace ? undefined : basename(folder)))
      return 'guard';
    if (entry.isSymbolicLink() && isProtectedParent(entry.name)) return 'guard';
    return entry.isDirectory() && entry.name !== 'node_modules' ? 'tree' : undefined;
  }
}
