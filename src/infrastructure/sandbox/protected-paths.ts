import { sep } from 'node:path';
import { isInside, segmentsOf } from './path-containment.js';

/**
 * Files that something outside of the sandbox runs or obeys later: whoever writes them writes tomorrow's commands.
 * A name protects the file or folder of that name wherever it stands, and all below it.
 */
const PROTECTED: readonly string[] = [
  // This gate's own, and other agents' settings.
  ...['.toolgate', '.mcp.json', '.claude', '.claude.json', '.codex', '.gemini', '.cursor', '.cursorrules'],
  ...['.windsurf', '.continue', '.opencode', '.aider.conf.yml', '.agents', '.kiro', '.roo', '.cline'],
  // Version control: hooks, configuration, and files that point git elsewhere.
  ...['.git', '.gitmodules', '.gitconfig', '.config/git', '.hg', '.svn', '.jj'],
  ...['.husky', '.pre-commit-config.yaml', '.pre-commit-config.yml', '.lefthook', '.lefthook.yml'],
  ...['lefthook.yml', 'lefthook.yaml', '.overcommit.yml'],
  // Shells and terminals.
  ...['.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.profile', '.zshrc'],
  ...['.zshenv', '.zprofile', '.zlogin', '.zlogout', '.kshrc', '.cshrc', '.tcshrc', '.login', '.logout'],
  ...['.config/fish', '.inputrc', '.xprofile', '.xinitrc', '.xsession', '.xsessionrc', '.pam_environment'],
  ...[
    '.screenrc',
    '.tmux.conf',
    '.config/tmux',
    '.envrc',
    '.direnv',
    '.config/direnv',
    '.mise.toml',
    'mise.toml',
  ],
  ...['.config/mise', '.config/systemd', '.config/autostart', '.config/environment.d', '.ssh', '.gnupg'],
  // Editors and debuggers.
  ...['.vscode', '.vscode-server', '.idea', '.fleet', '.zed', '.nova', '.devcontainer', '.devcontainer.json'],
  ...['.vimrc', '.gvimrc', '.exrc', '.nvimrc', '.nvim.lua', '.vim', '.config/nvim', '.emacs', '.emacs.d'],
  ...['.dir-locals.el', '.nanorc', '.gdbinit', '.lldbinit', '.sublime-project'],
  // Continuous integration.
  ...['.github/workflows', '.github/actions', '.gitlab-ci.yml', '.gitlab/ci', '.circleci', '.travis.yml'],
  ...['.drone.yml', '.woodpecker', '.woodpecker.yml', '.woodpecker.yaml', '.buildkite', '.ci', 'jenkinsfile'],
  ...['azure-pipelines.yml', '.azure-pipelines', 'bitbucket-pipelines.yml', 'appveyor.yml', '.appveyor.yml'],
  ...['.gitea/workflows', '.forgejo/workflows', '.teamcity', '.cirrus.yml', 'cloudbuild.yaml'],
  // Package managers and interpreters that run what their configuration names.
  ...['.npmrc', '.yarnrc', '.yarnrc.yml', '.yarn', '.pnpmfile.cjs', '.pnpmfile.mjs', '.cargo', '.bazelrc'],
  ...['.pypirc', '.pythonrc', '.pythonrc.py', 'sitecustomize.py', 'usercustomize.py', '.irbrc', '.pryrc'],
  ...[
    '.rprofile',
    '.psqlrc',
    '.sqliterc',
    '.my.cnf',
    '.netrc',
    '.curlrc',
    '.wgetrc',
    '.aws',
    '.kube',
    '.docker',
  ],
  ...['.config/pip', '.pip', '.gradle', '.m2', '.bundle'],
];

const NAMES: readonly (readonly string[])[] = PROTECTED.map((path) => path.split('/'));

/**
 * The entry of the built-in list that forbids writing a path, if one does. Inside of the workspace only the part
 * below it counts, for a workspace may itself lie in a folder of such a name. Letter case never matters: some
 * disks ignore it.
 */
export function protectedBy(realPath: string, realWorkspace: string): string | undefined {
  const part = isInside(realPath, realWorkspace) ? realPath.slice(realWorkspace.length) : realPath;
  const segments = segmentsOf(part).map(foldName);
  const found = NAMES.find((names) => segments.some((_, index) => startsWithAt(segments, names, index)));
  return found?.join(sep);
}

const NAME_SET: ReadonlySet<string> = new Set(PROTECTED);

/** Whether an entry of a folder is on the built-in list; `folder` is the folder's name, where that may count. */
export function isProtectedName(name: string, folder?: string): boolean {
  const folded = foldName(name);
  return NAME_SET.has(folded) || (folder !== undefined && NAME_SET.has(`${foldName(folder)}/${folded}`));
}

const PARENT_SET: ReadonlySet<string> = new Set(
  NAMES.flatMap(([first, second]) => (first !== undefined && second !== undefined ? [first] : [])),
);

/** Whether the built-in list names something in a folder of this name: as a link, it would stand elsewhere. */
export function isProtectedParent(name: string): boolean {
  return PARENT_SET.has(foldName(name));
}

function startsWithAt(segments: readonly string[], names: readonly string[], index: number): boolean {
  return names.every((name, offset) => segments[index + offset] === name);
}

/** The form in which a lax disk sees a name: no case, no trailing dots or blanks, no invisible characters. */
function foldName(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase()
    .replace(/[. ]+$/, '');
}
