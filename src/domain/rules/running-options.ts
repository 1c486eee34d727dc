/** How a program that otherwise says what it does can be told to run another one, or to write a file of any name. */
interface Escape {
  /** Names of long options; most programs take the beginning of one for the whole. */
  readonly long?: string;
  /** A word that does it. */
  readonly word?: RegExp;
  /** Several words that do it, with a NUL between them. */
  readonly words?: RegExp;
}

const FD: Escape = { long: 'exec exec-batch', word: /^-[a-z]*[xX]/ };
const TAR: Escape = {
  long: 'use-compress-program to-command checkpoint-action rsh-command rmt-command info-script new-volume-script',
  word: /^-[A-Za-z]*[IF]/,
  // Its first word is a bundle of options even without a dash.
  words: /^[A-Za-z]*[IF]/,
};
const VIM: Escape = { word: /^(?:-[a-zA-Z]*[cSsuUW]|--cmd|\+)/ };
const COPY: Escape = { word: /^-[A-Za-z0-9]*[SFD]|command/i };
const MAKE: Escape = {
  long: 'eval',
  word: /^-[a-zA-Z]*E|\$[({]|^(?:SHELL|MAKEFLAGS)=/,
  words: /(?:^|\0)(?:-[a-zA-Z]*f|--(?:file|makefile)=?)\0?(?:-(?:\0|$)|\/dev\/|\/proc\/)/,
};
const COMPILER: Escape = { word: /^(?:-(?:wrapper|fplugin|B|specs)|@)/ };
const PACKAGES: Escape = { long: 'call', word: /^-c$/ };
const NETCAT: Escape = { long: 'exec sh-exec lua-exec', word: /^-[a-zA-Z]*[ec]/ };

const GIT: Escape = {
  long: 'config-env exec-path upload-pack receive-pack exec extcmd open-files-in-pager output sendmail-cmd',
  words: new RegExp(
    [
      // Settings of one call: before the subcommand, and while cloning.
      '^(?:-[^\\0]*(?:\\0[^-\\0][^\\0]*)?\\0)*-c',
      '(?:^|\\0)clone\\0(?:.*\\0)?(?:-[a-z]*[cu]|--c)',
      '(?:^|\\0)(?:clone|init)\\0(?:.*\\0)?--te',
      '(?:^|\\0)rebase\\0(?:.*\\0)?-[a-z]*x',
      '(?:^|\\0)grep\\0(?:.*\\0)?-[a-zA-Z]*O',
      '(?:^|\\0)config\\0(?:.*\\0)?(?:alias|include|core\\.(?:pager|editor|sshcommand|fsmonitor|hookspath))',
      '(?:^|\\0)(?:bisect\\0run|hook\\0run|submodule\\0(?:.*\\0)?foreach)(?:\\0|$)',
      '(?:^|\\0)(?:filter-branch|for-each-repo|difftool|mergetool|send-email|instaweb|web--browse|daemon)(?:\\0|$)',
    ].join('|'),
    's',
  ),
};

const ESCAPES: readonly (readonly [names: string, way: Escape])[] = [
  ['find', { word: /^-(?:exec|execdir|ok|okdir|delete|fls|fprint0?|fprintf)$/ }],
  ['fd fdfind', FD],
  ['rg', { long: 'pre hostname-bin' }],
  ['git', GIT],
  ['tar gtar bsdtar', TAR],
  ['sort', { long: 'compress-program output', word: /^-[bdfghiMnRrVuszcCm]*o/ }],
  ['rsync', { long: 'rsh rsync-path', word: /^-[A-Za-z]*e/ }],
  ['scp sftp', COPY],
  ['man', { long: 'pager html', word: /^-[A-Za-z]*[PH]/ }],
  ['vi vim nvim view gvim rvim rview vimdiff vim.basic vim.tiny', VIM],
  ['less more most pg', { word: /^\+/ }],
  ['make gmake bmake', MAKE],
  ['npm npx pnpm pnpx yarn', PACKAGES],
  ['go', { word: /^--?(?:exec|toolexec|vettool)/ }],
  ['gcc g++ cc c++ clang clang++ cpp', COMPILER],
  ['zip', { long: 'unzip-command', word: /^-TT/ }],
  ['split', { long: 'filter' }],
  ['cpio', { long: 'rsh-command' }],
  ['diff3', { long: 'diff-program' }],
  ['install', { long: 'strip-program' }],
  ['curl', { long: 'config', word: /^-[a-zA-Z]*K/ }],
  ['wget', { long: 'use-askpass config execute', word: /^-e/ }],
  ['nc ncat netcat', NETCAT],
  ['tcpdump', { word: /^-[a-zA-Z]*z/ }],
  ['nmap', { long: 'script' }],
  ['rpm', { long: 'eval pipe define', word: /^-[ED]/ }],
  ['apt apt-get dpkg', { long: 'option pre-invoke post-invoke', word: /^-o|::/ }],
  ['ip', { words: /(?:^|\0)(?:netns|vrf)\0(?:.*\0)?exec(?:\0|$)|(?:^|\0)-b/s }],
];

const BY_NAME: ReadonlyMap<string, Escape> = new Map(
  ESCAPES.flatMap(([names, way]) => names.split(' ').map((name) => [name, way] as const)),
);

/** The word of a command by which it runs another program, or writes a file; all of them where several do it. */
export function runningOption(name: string, args: readonly string[]): string | undefined {
  const way = BY_NAME.get(name);
  if (!way) return undefined;
  const { long = '', word, words } = way;
  const options = long === '' ? [] : long.split(' ').map((option) => `--${option}`);
  const found = args.find((arg) => word?.test(arg) || options.some((option) => isShortFor(arg, option)));
  return found ?? (words?.test(args.join('\0')) ? args.join(' ') : undefined);
}

/** Most programs take `--forc` for `--force`. */
export function isShortFor(word: string, option: string): boolean {
  const [name = ''] = word.split('=');
  return name.length > 2 && name.startsWith('--') && option.startsWith(name);
}
