import { dirname, join, sep } from 'node:path';
import { isThere } from './tree-search.js';

/** What of a repository says which programs git runs, or sends it elsewhere to be told. */
const OBEYED: ReadonlySet<string> = new Set(
  'head config config.worktree commondir gitdir hooks info modules worktrees'.split(' '),
);

/** What git takes a folder for a repository by. */
const SIGNS = ['HEAD', 'commondir', 'objects', 'refs'] as const;

type Signs = Readonly<Record<(typeof SIGNS)[number], boolean>>;

/** Whether git would take a folder for a repository, though it is not called `.git`. */
export function isGitDirectory(folder: string): boolean {
  return isRepository(signsOf(folder));
}

/**
 * Why writing a path would tell git, whoever runs it there later, what to run; undefined if it would not. A folder
 * of ordinary files is a repository as soon as it has the parts of one, so the last of them is refused, too.
 */
export function repositoryProblem(realPath: string): string | undefined {
  const parent = dirname(realPath);
  if (parent === realPath) return undefined;
  const name = realPath.slice(parent.endsWith(sep) ? parent.length : parent.length + 1);
  return partProblem(parent, name) ?? repositoryProblem(parent);
}

function partProblem(folder: string, name: string): string | undefined {
  const written = name.normalize('NFKC').toLowerCase();
  const isSign = SIGNS.some((sign) => sign.toLowerCase() === written);
  if (!isSign && !OBEYED.has(written)) return undefined;
  const before = signsOf(folder);
  if (isRepository(before)) {
    return OBEYED.has(written)
      ? `"${folder}" is a git repository without being named .git, and "${name}" says what git runs there`
      : undefined;
  }
  return isRepository(signsOf(folder, written))
    ? `with "${name}" git would take "${folder}" for a repository, whose configuration could run any program`
    : undefined;
}

/** With a `commondir` file, objects and refs may lie elsewhere. */
function isRepository({ HEAD, commondir, objects, refs }: Signs): boolean {
  return HEAD && (commondir || (objects && refs));
}

function signsOf(folder: string, added?: string): Signs {
  const has = (sign: string) => sign.toLowerCase() === added || isThere(join(folder, sign));
  return { HEAD: has('HEAD'), commondir: has('commondir'), objects: has('objects'), refs: has('refs') };
}
