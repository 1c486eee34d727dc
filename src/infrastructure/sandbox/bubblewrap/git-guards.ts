import type { Dirent } from 'node:fs';

/** What a folder is to git: the folder of a repository, its `info`, or a shelf with further repositories. */
export type GitFolder = 'git' | 'git-info' | 'git-shelf';

/**
 * Files of a repository that say what git runs, or send it elsewhere for that. The lists of a rebase are among
 * them, for they may hold commands; one that begins and ends within a call is nobody's business.
 */
const GUARDED: ReadonlySet<string> = new Set([
  ...['hooks', 'config', 'config.worktree', 'commondir'],
  ...['rebase-merge', 'rebase-apply', 'sequencer'],
]);

/** What makes git take a folder for a repository, `HEAD` before all. */
const MARKS: readonly string[] = ['HEAD', 'commondir', 'objects', 'refs'];

const PARTS: ReadonlyMap<string, GitFolder> = new Map([
  ['info', 'git-info'],
  // Submodules, and the second working trees of a repository.
  ['modules', 'git-shelf'],
  ['worktrees', 'git-shelf'],
]);

/** Large, and of no interest. */
const CONTENT: ReadonlySet<string> = new Set(['objects', 'refs', 'logs', 'lfs', 'branches']);

/**
 * What to do with an entry of a folder that git keeps: guard it, look into it, or leave it to git, which has to
 * write there. On a shelf repositories stand at any depth, for their names have slashes in them.
 */
export function judgeGitEntry(entry: Dirent, kind: GitFolder): 'guard' | GitFolder | undefined {
  if (kind === 'git-info') return entry.name === 'attributes' ? 'guard' : undefined;
  if (GUARDED.has(entry.name)) return 'guard';
  const isShelf = kind === 'git-shelf' && !CONTENT.has(entry.name);
  const inside = PARTS.get(entry.name) ?? (isShelf ? 'git-shelf' : undefined);
  // A link instead of a folder would lead git to files that nobody guards.
  if (inside !== undefined && entry.isSymbolicLink()) return 'guard';
  return entry.isDirectory() ? inside : undefined;
}

/** What of a repository there is in a folder that is not called `.git`. */
export function repositoryMarks(entries: readonly Dirent[]): readonly string[] {
  const names = new Set(entries.map(({ name }) => name));
  return MARKS.filter((mark) => names.has(mark));
}

/** Whether git would take a folder with these marks for a repository. */
export function isRepository(marks: readonly string[]): boolean {
  return (
    marks.includes('HEAD') &&
    (marks.includes('commondir') || (marks.includes('objects') && marks.includes('refs')))
  );
}
