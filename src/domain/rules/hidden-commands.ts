import type { PlannedCommand } from '../plan.js';
import { programNames } from './program-names.js';
import { runningOption } from './running-options.js';
import { isPlainSedScript, sedScripts } from './sed-script.js';

/** Programs whose arguments are another command, in more forms than can be told apart. */
const WRAPPERS = setOf(
  `env sudo doas su runuser pkexec xargs parallel exec eval command builtin source . trap nsenter unshare chroot setsid
  stdbuf ionice chrt taskset flock watch script strace ltrace gdb ssh busybox toybox systemd-run nohup time nice timeout
  setarch prlimit unbuffer expect entr tmux screen at batch proot fakeroot firejail bwrap gosu tini dumb-init alias set
  hash export readonly declare typeset setpriv capsh sg newgrp linux32 linux64 i386 x86_64 uname26 valgrind perf rr lldb
  heaptrack uftrace cpulimit numactl eatmydata nocache faketime torsocks torify tsocks proxychains xvfb-run sshpass
  dbus-run-session dbus-launch start-stop-daemon run-parts daemonize chronic ifne sem retry tsp run-one hyperfine rlwrap
  caffeinate su-exec chpst setlock setuidgid envdir softlimit cgexec schedtool runcon choom catchsegv xterm urxvt
  x-terminal-emulator gnome-terminal konsole alacritty kitty watchexec nodemon concurrently direnv nix-shell nsjail
  minijail0 fakechroot trickle systemd-nspawn systemd-inhibit machinectl socat ccache sccache distcc`,
);

/** The loader of programs is one that runs whatever it is given. */
const LOADER = /^ld[\w.-]*\.so/;

/** Programs with a language of their own, in which other programs can be started. */
const CONSOLES = setOf(
  'ed red ex emacs emacsclient sqlite3 psql mysql mariadb mongosh redis-cli dc m4 gnuplot w3m lynx mutt mail mailx',
);

/** Shells and languages: they run what is written in an argument, in a file, or on their input. */
const INTERPRETER =
  /^(?:(?:ba|da|z|k|mk|a|fi|c|tc|rba|pdk|ok|po|ya|o|y)?sh|nu|elvish|xonsh|(?:python|pypy)[\d.]*|[ib]python[\d.]*|node|nodejs|deno|bun|tsx|ts-node|perl[\d.]*|raku|j?ruby[\d.]*|php[\d.]*|lua[\d.]*|luajit|tclsh[\d.]*|wish|r|rscript|julia|octave|pwsh|powershell|osascript|irb|pry|ghci|runghc|groovy|scala|kotlin|jshell|clojure|clj|bb|erl|escript|elixir|iex|guile|racket|sbcl|clisp|ocaml|swipl|janet|fennel|hy|qjs|awk|[gmn]awk)$/;

/** Options of theirs that may stand before the file that is run. */
const PLAIN_OPTIONS: readonly (readonly [name: RegExp, option: RegExp])[] = [
  [/sh$/, /^-[eux]+$/],
  [/^py/, /^-(?:[uBIsESO]+|m)$/],
  [/^node/, /^--(?:enable-source-maps|no-warnings)$/],
];
/** With these they run nothing that is hidden, and need no file. */
const COMPLETE = /^(?:--version|--help|-V|--test)$/;
/** What stands where a file would, and is none: their own input, or a word that says that code comes next. */
const NO_FILE = /^\/(?:dev|proc)\//;
const CODE_WORDS: readonly (readonly [name: RegExp, word: RegExp])[] = [
  [/^(?:deno|bun)$/, /^(?:eval|repl|exec|x)$/],
  [/^py/, /^(?:timeit|pdb|trace|cProfile|profile|code|runpy|idlelib)$/],
];

const AWK_RUNS = /system|getline|[|>@]/;

/** Why a command may run another one that no rule can see in it; undefined for one that says what it does. */
export function hiddenCommandProblem(command: PlannedCommand): string | undefined {
  return programNames(command)
    .map((name) => problemOf(name, command.args))
    .find((problem) => problem !== undefined);
}

/** Whether a program runs whatever code it is given. */
export function isInterpreter(name: string): boolean {
  return INTERPRETER.test(name);
}

function problemOf(name: string, args: readonly string[]): string | undefined {
  if (WRAPPERS.has(name) || LOADER.test(name)) return `"${name}" runs the command in its arguments`;
  if (CONSOLES.has(name)) return `"${name}" runs commands from its arguments or its input`;
  if (isInterpreter(name)) return interpreterProblem(name, args);
  const option =
    name === 'sed' || name === 'gsed'
      ? sedScripts(args).find((script) => !isPlainSedScript(script))
      : runningOption(name, args);
  return option === undefined ? undefined : `"${name} ${option}" can run other programs, or write files`;
}

/** A program in a file is a command like any other; one in an argument or on the input is not. */
function interpreterProblem(name: string, args: readonly string[]): string | undefined {
  const problem = `"${name}" runs code from its arguments or its input`;
  if (name.endsWith('awk')) return args.some((word) => AWK_RUNS.test(word)) ? problem : undefined;
  const decisive = args.find((word) => !isPlainOption(name, word));
  if (decisive === undefined) return problem;
  if (COMPLETE.test(decisive)) return undefined;
  return decisive.startsWith('-') || isCodeWord(name, decisive) ? problem : undefined;
}

function isCodeWord(name: string, word: string): boolean {
  return NO_FILE.test(word) || isListed(CODE_WORDS, name, word);
}

function isPlainOption(name: string, word: string): boolean {
  return isListed(PLAIN_OPTIONS, name, word);
}

function isListed(
  list: readonly (readonly [name: RegExp, word: RegExp])[],
  name: string,
  word: string,
): boolean {
  return list.some(([program, listed]) => program.test(name) && listed.test(word));
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/));
}
