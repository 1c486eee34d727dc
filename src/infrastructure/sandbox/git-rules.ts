import { isAbsolute } from 'node:path';
import { bareRepositoryProblem, hardenGit } from './git-hardening.js';
import { findOption } from './option-words.js';
import { shown } from './shown.js';

/** Options before the subcommand that change nothing but the output. */
const HARMLESS_GLOBALS = new Set([
  ...['--no-pager', '-P', '--no-optional-locks', '--no-replace-objects', '--literal-pathspecs'],
  ...['--glob-pathspecs', '--noglob-pathspecs', '--icase-pathspecs'],
]);

/** Subcommands that work on this repository and run nothing but what its own configuration already says. */
const LOCAL = new Set(
  `add blame branch cat-file check-attr check-ignore check-mailmap checkout cherry cherry-pick clean commit
  count-objects describe diff diff-files diff-index diff-tree for-each-ref fsck grep hash-object log ls-files ls-tree
  merge merge-base mv name-rev range-diff reflog reset restore rev-list rev-parse revert rm shortlog
  show show-branch show-ref stash status stripspace switch symbolic-ref tag verify-commit verify-tag version whatchanged`.split(
    /\s+/,
  ),
);

const REMOTE = new Set(
  'clone fetch pull push ls-remote remote submodule archive bundle svn p4 cvsimport'.split(' '),
);

/** Options that run programs, take settings from the caller, or write a file of any name. */
const DENIED =
  `--output --ext-diff --textconv --open-files-in-pager --exec --exec-path --upload-pack --receive-pack --git-dir
  --work-tree --namespace --config --config-env --template --separate-git-dir --super-prefix --strategy --tool
  --paginate --filters --unsafe-paths --stdin-paths`.split(/\s+/);

/** Why a git command may do more than it seems to; undefined if it does not. */
export function checkGit(args: readonly string[], workspace: string): string | undefined {
  const at = subcommandIndex(args);
  if (typeof at === 'string') return at;
  return subcommandProblem(args, at) ?? bareRepositoryProblem(foldersOf(args.slice(0, at)), workspace);
}

/** The arguments with everything in front that keeps the repository's settings from running programs. */
export function gitArguments(args: readonly string[]): readonly string[] {
  const at = subcommandIndex(args);
  return typeof at === 'string' ? args : hardenGit(args, at);
}

/** The folder that paths are meant from; links are left to whoever follows it. */
export function gitFolder(args: readonly string[]): string {
  const at = subcommandIndex(args);
  const folders = typeof at === 'string' ? [] : foldersOf(args.slice(0, at));
  return folders.reduce((folder, next) => (isAbsolute(next) ? next : `${folder}/${next}`), '.');
}

/** Each `-C` starts from the one before. */
function foldersOf(globals: readonly string[]): readonly string[] {
  return globals.filter((_, index) => globals[index - 1] === '-C');
}

function subcommandProblem(args: readonly string[], at: number): string | undefined {
  const subcommand = args[at];
  if (subcommand === undefined || args[at] === '--version') return undefined;
  if (REMOTE.has(subcommand))
    return `${shown(`git ${subcommand}`)} reaches other repositories, which nothing checks here`;
  if (!LOCAL.has(subcommand)) return `${shown(`git ${subcommand}`)} may run other programs`;
  const rest = args.slice(at + 1);
  const denied = findOption(rest, subcommand === 'grep' ? [...DENIED, '-O'] : DENIED, {});
  return denied && `${shown(denied)} lets it run programs or write files that nothing here can check`;
}

/** Where commit messages stand: they are text, whatever they look like. */
export function messageIndexes(args: readonly string[]): readonly number[] {
  const at = subcommandIndex(args);
  if (typeof at === 'string' || !['commit', 'tag', 'stash', 'merge'].includes(args[at] ?? '')) return [];
  return [...args.keys()].filter((index) => {
    const isMessage = index > at && /^--message=/.test(args[index] ?? '');
    return isMessage || (index - 1 > at && /^(?:-a?m|--message)$/.test(args[index - 1] ?? ''));
  });
}

function subcommandIndex(args: readonly string[]): number | string {
  let index = 0;
  while (args[index]?.startsWith('-')) {
    const word = args[index] ?? '';
    if (word === '--version') break;
    if (word !== '-C' && !HARMLESS_GLOBALS.has(word)) return `${shown(word)} can make it run other programs`;
    index += word === '-C' ? 2 : 1;
  }
  return index;
}
