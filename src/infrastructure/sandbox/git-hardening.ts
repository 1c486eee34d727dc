import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { realPathOf } from './path-containment.js';
import { isGitDirectory } from './repository-parts.js';
import { shown } from './shown.js';

/** Settings that name programs, each with a value that runs nothing; the command line wins over every file. */
const SETTINGS: readonly string[] = [
  ...['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'core.pager=cat', 'core.editor=true'],
  ...['core.sshCommand=false', 'core.askPass=false', 'core.alternateRefsCommand=true', 'credential.helper='],
  ...['sequence.editor=true', 'interactive.diffFilter=cat', 'gpg.program=false', 'gpg.ssh.program=false'],
  ...[
    'gpg.x509.program=false',
    'gpg.ssh.defaultKeyCommand=false',
    'commit.gpgSign=false',
    'tag.gpgSign=false',
  ],
  ...['log.showSignature=false', 'gc.auto=0', 'maintenance.auto=false', 'submodule.recurse=false'],
  // Bare repositories are made of ordinary files, which an agent can write.
  ...['safe.bareRepository=explicit', 'protocol.allow=never'],
];

const GLOBALS: readonly string[] = ['--no-pager', ...SETTINGS.flatMap((setting) => ['-c', setting])];

const NO_TEXTCONV = ['--no-textconv'];
const NO_DRIVERS = ['--no-ext-diff', '--no-textconv'];

/** An external diff has no setting for "none", so these subcommands are told by option. */
const OPTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ...['diff', 'diff-files', 'diff-index', 'diff-tree', 'log', 'show', 'whatchanged'].map(
    (name) => [name, NO_DRIVERS] as const,
  ),
  ...['blame', 'grep'].map((name) => [name, NO_TEXTCONV] as const),
]);

/** The variables that keep git from settings outside of the repository. */
export const GIT_VARIABLES: Readonly<Record<string, string>> = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
};

/** The same git command, run so that no setting of the repository starts a program. */
export function hardenGit(args: readonly string[], subcommandAt: number): readonly string[] {
  const options = OPTIONS.get(args[subcommandAt] ?? '') ?? [];
  return [...GLOBALS, ...args.slice(0, subcommandAt + 1), ...options, ...args.slice(subcommandAt + 1)];
}

/**
 * Why git would take ordinary files for its repository; undefined if it would not. Looks where git looks: from the
 * folder it runs in upwards, until there is a `.git`, which no tool may write.
 */
export function bareRepositoryProblem(folders: readonly string[], workspace: string): string | undefined {
  let folder = realPathOf(resolve(workspace, ...folders));
  for (;;) {
    if (isGitDirectory(folder)) {
      return `${shown(folder)} looks like a git directory (HEAD, objects, refs) without being named .git; its configuration could run any program`;
    }
    const parent = dirname(folder);
    if (parent === folder || existsSync(join(folder, '.git'))) return undefined;
    folder = parent;
  }
}
