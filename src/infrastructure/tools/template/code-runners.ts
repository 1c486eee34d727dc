/** How a command's words are told apart up to the one that decides what it does. */
export interface CommandForm {
  /** Options that stand alone. Any other word that begins with a dash is not known, and nothing after it is. */
  readonly flags?: RegExp;
  /** Options whose value is the next word. */
  readonly valued?: readonly string[];
}

/** Commands that run the command after them; `operands` are words before it, such as the time of `timeout`. */
export const WRAPPERS: ReadonlyMap<string, CommandForm & { readonly operands?: number }> = new Map([
  ['env', { flags: /^(?:-|-i|-0|--ignore-environment|[A-Za-z_]\w*=.*)$/s, valued: ['-u', '-C'] }],
  ['timeout', { flags: /^(?:--foreground|--preserve-status|-v)$/, valued: ['-k', '-s'], operands: 1 }],
  ['nice', { flags: /^-(?:\d+|n-?\d+)$/, valued: ['-n'] }],
  ['ionice', { flags: /^-[cn]\d$/, valued: ['-c', '-n'] }],
  ['stdbuf', { flags: /^-[ioe].+$/, valued: ['-i', '-o', '-e'] }],
  ['sudo', { flags: /^-[nEH]+$/, valued: ['-u', '-g'] }],
  ['doas', { flags: /^-n$/, valued: ['-u'] }],
  ['time', { flags: /^-p$/ }],
  ['setsid', { flags: /^-[cfw]$/ }],
  ['npx', { flags: /^(?:-y|--yes|--no|-q|--no-install)$/ }],
  ['nohup', {}],
  ['exec', {}],
  ['builtin', {}],
  ['busybox', {}],
  ['toybox', {}],
]);

/** Shells, which run whatever they read. */
export const SHELL = /^(?:ba|da|z|k|mk|a|fi|c|tc|rba|o|y)?sh$|^(?:nu|elvish|xonsh|rc)$/;

/** Commands that run a program from a file; without one they run what they read. */
export const INTERPRETERS: readonly (CommandForm & { readonly name: RegExp })[] = [
  { name: SHELL, flags: /^-[eux]+$/ },
  { name: /^(?:python|pypy)[\d.]*$/, flags: /^-[uBIsESOvqm]+$/ },
  { name: /^(?:node|nodejs)$/, flags: /^--(?:test|enable-source-maps|no-warnings|max-old-space-size=\d+)$/ },
  { name: /^(?:perl|ruby|php|lua|luajit|tclsh|wish|rscript|guile|groovy|swipl)[\d.]*$/ },
  { name: /^(?:java|deno|bun|tsx|ts-node|runghc|escript|elixir|julia|octave|racket|sbcl)$/ },
  {
    name: /^(?:ipython3?|irb|pry|ghci|jshell|clj|clojure|bb|erl|iex|ocaml|scala|r|scheme|gosh|csi|janet|fennel|hy|qjs|coffee)$/,
  },
];

// A flag that says "the program comes next" is a flag like any other: the next word is the program either way.
const AWK: CommandForm = { flags: /^(?:-F.+|-f)$/, valued: ['-F'] };
const SED: CommandForm = { flags: /^-(?:[nErsuz]*[ef]?|i.*)$/, valued: ['-l'] };

/** Commands whose first argument is a program in a language of its own. */
export const PROGRAM_TOOLS: ReadonlyMap<string, CommandForm> = new Map<string, CommandForm>([
  ['awk', AWK],
  ['gawk', AWK],
  ['mawk', AWK],
  ['nawk', AWK],
  ['sed', SED],
  ['gsed', SED],
  ['jq', { flags: /^(?:-[crnRsSjaef]+|--from-file)$/ }],
]);

const PACKAGE_MANAGER = {
  flags: /^(?:-s|-q|--silent|--quiet|--[\w-]+=.*)$/,
  valued: ['--prefix', '-w', '--workspace', '-C', '--dir', '--cwd', '--filter'],
  deeper: /^(?:run|run-script|exec|x|dlx|tool)$/,
};

/** Commands whose first argument says what they do; after some, the next one as well. */
export const SUBCOMMAND_TOOLS: ReadonlyMap<string, CommandForm & { readonly deeper?: RegExp }> = new Map<
  string,
  CommandForm & { readonly deeper?: RegExp }
>([
  ['git', { flags: /^--(?:no-pager|bare|[\w-]+=.*)$/, valued: ['-C', '-c', '--git-dir', '--work-tree'] }],
  ['go', { deeper: /^(?:run|tool)$/ }],
  ...['cargo', 'dotnet', 'systemctl', 'kubectl', 'gh'].map((name) => [name, { flags: /^-q$/ }] as const),
  ...['npm', 'pnpm', 'yarn', 'uv', 'poetry', 'pipx', 'corepack'].map(
    (name) => [name, PACKAGE_MANAGER] as const,
  ),
]);

/** Arguments of these are code, names to evaluate, or commands to run, in more ways than can be told apart. */
export const CODE_TAKERS: ReadonlySet<string> = new Set(
  (
    'eval . source trap alias let declare typeset local export readonly unset read mapfile readarray getopts ' +
    'set shift hash enable bind complete compgen compopt fc history wait ulimit test [ [[ command type ' +
    'xargs parallel ssh scp sftp rsync mosh su runuser script watch entr at batch crontab strace ltrace gdb lldb ' +
    'vim vi nvim view ex ed emacs less more man sqlite3 psql mysql mariadb mongosh redis-cli osascript expect ' +
    'cmd command.com powershell pwsh wsl unshare nsenter chroot flock tmux screen systemd-run dc m4 gnuplot ' +
    'socat nc ncat netcat telnet make gmake bmake rake just docker podman nerdctl bwrap firejail busctl dbus-send'
  ).split(' '),
);

/** Commands that hand what follows `--` to another program, which reads its own options there. */
export const PASS_THROUGH: ReadonlySet<string> = new Set([
  ...['npm', 'pnpm', 'yarn', 'cargo', 'go', 'dotnet', 'uv', 'poetry', 'npx', 'kubectl'],
  // It reads expressions after `--` all the same.
  'find',
]);

/** Options of any command whose value is code, a program or a file of settings that can name one. */
export const CODE_OPTIONS =
  /^(?:-(?:exec|execdir|ok|okdir)|--(?:exec|exec-path|pre|pre-glob|hostname-bin|to-command|checkpoint-action|use-compress-program|compress-program|rsh|rsync-path|upload-pack|receive-pack|config|config-env|command|cmd|eval|expression|execute|rcfile|init-file|init-command|shell|editor|pager|open-files-in-pager|interpreter|plugin|load|require|import|loader|preload|proxy-command|filter-program|unzip-command))(?:=|$)/;

/** The same in short, where a letter means it to one command only. */
export const SHORT_CODE_OPTIONS: ReadonlyMap<string, RegExp> = new Map<string, RegExp>([
  ['git', /^-c/],
  ['tar', /^-[IF]/],
  ['curl', /^-K/],
  ['zip', /^-TT/],
  ['printf', /^-v/],
  ['split', /^--filter/],
  ['sed', /^-[nErsuz]*[ef]|^--file/],
  ['gsed', /^-[nErsuz]*[ef]|^--file/],
  ...['awk', 'gawk', 'mawk', 'nawk'].map((name) => [name, /^-[feEilv]/] as const),
  ['jq', /^-[a-zA-Z]*f|^--from-file/],
]);
