import type { PlannedCommand } from '../plan.js';

/** Programs whose arguments are another command, in more forms than can be told apart. */
const WRAPPERS = setOf(
  `env sudo doas su runuser pkexec xargs parallel exec eval command builtin source . trap nsenter unshare chroot setsid
  stdbuf ionice chrt taskset flock watch script strace ltrace gdb ssh busybox toybox systemd-run nohup time nice timeout
  setarch prlimit unbuffer expect entr tmux screen at batch proot fakeroot firejail bwrap gosu tini dumb-init alias set
  hash export readonly declare typeset`,
);

/** Shells and languages: they run what is written in an argument, in a file, or on their input. */
const INTERPRETER =
  /^(?:(?:ba|da|z|k|mk|a|fi|c|tc|rba)?sh|(?:python|pypy)[\d.]*|node|nodejs|deno|bun|tsx|ts-node|perl[\d.]*|ruby[\d.]*|php[\d.]*|lua[\d.]*|luajit|tclsh|rscript|julia|pwsh|powershell|osascript|irb|ghci|groovy|guile|awk|[gmn]awk)$/;

/** Options of theirs that may stand before the file that is run. */
const PLAIN_OPTIONS: readonly (readonly [name: RegExp, option: RegExp])[] = [
  [/sh$/, /^-[eux]+$/],
  [/^py/, /^-(?:[uBIsESO]+|m)$/],
  [/^node/, /^--(?:enable-source-maps|no-warnings)$/],
];
/** With these they run nothing that is hidden, and need no file. */
const COMPLETE = /^(?:--version|--help|-V|--test)$/;

/** Options by which a program that is harmless otherwise runs another one. */
const RUNNING_OPTIONS: ReadonlyMap<string, RegExp> = new Map([
  ['find', /^-(?:exec|execdir|ok|okdir)$/],
  ['fd', /^(?:-[a-zA-Z]*[xX]|--exec(?:-batch)?)/],
  ['rg', /^--(?:pre|hostname-bin)(?:=|$)/],
  ['git', /^(?:-c|-c.*=.*|--config-env.*|--exec-path.*|--upload-pack.*|--receive-pack.*|--exec.*)$/],
  [
    'tar',
    /^(?:-[A-Za-z]*[IF]|--(?:use-compress-program|to-command|checkpoint-action|rsh-command|info-script))/,
  ],
  ['sort', /^--compress-program/],
  ['rsync', /^(?:-[A-Za-z]*e|--rsh)/],
  ['scp', /^-[A-Za-z]*S/],
  ['man', /^(?:-P|--pager)/],
  ['vim', /^(?:-c|--cmd|\+)/],
  ['vi', /^(?:-c|\+)/],
  ['make', /^(?:--eval|-f-$)/],
  ['sed', /(?:^|[;{}!\d\s$/])e(?:\s|$)|s(.).*\1.*\1[a-zA-Z0-9]*e/s],
]);

const AWK_RUNS = /system|getline|[|>@]/;

/** Why a command may run another one that no rule can see in it; undefined for one that says what it does. */
export function hiddenCommandProblem(command: PlannedCommand): string | undefined {
  const name = programName(command);
  if (WRAPPERS.has(name)) return `"${name}" runs the command in its arguments`;
  if (isInterpreter(name)) return interpreterProblem(name, command.args);
  const running = RUNNING_OPTIONS.get(name);
  const option = running && command.args.find((word) => running.test(word));
  return option === undefined ? undefined : `"${name} ${option}" can run other programs`;
}

/** Whether a program runs whatever code it is given. */
export function isInterpreter(name: string): boolean {
  return INTERPRETER.test(name);
}

/** The last part of where it is, in lower case: on some disks `GIT` is `git`. */
export function programName({ path }: Pick<PlannedCommand, 'path'>): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase();
}

/** A program in a file is a command like any other; one in an argument or on the input is not. */
function interpreterProblem(name: string, args: readonly string[]): string | undefined {
  const problem = `"${name}" runs code from its arguments or its input`;
  if (name.endsWith('awk')) return args.some((word) => AWK_RUNS.test(word)) ? problem : undefined;
  for (const word of args) {
    if (!word.startsWith('-') || COMPLETE.test(word)) return undefined;
    if (!isPlainOption(name, word)) return problem;
  }
  return problem;
}

function isPlainOption(name: string, word: string): boolean {
  return PLAIN_OPTIONS.some(([program, option]) => program.test(name) && option.test(word));
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/));
}
