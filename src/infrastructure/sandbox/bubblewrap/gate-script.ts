import type { ConfinementLimits } from '../../../ports/sandbox.js';
import { DESCRIPTORS } from './bwrap-arguments.js';

/** What the gate does first: limits that go process by process, where no cgroup limits all of them. */
export interface GateOptions {
  readonly limits: ConfinementLimits;
  readonly memory: boolean;
  readonly pids: boolean;
  /** Run before the gate says that it waits: the seam for a proxy's listener. */
  readonly prologue?: string;
  /** Errors apart from the output, for whoever reads the output as a protocol; in order with it otherwise. */
  readonly separatesErrors?: boolean;
}

/**
 * Process 1 of a sandbox. It says that everything is in place, waits for the word to begin, and with it for
 * arguments, one a line; they are never evaluated. It ends with the program, and everything else with it. If
 * nobody is left to give the word, the program never runs.
 */
export function gateScript(given: GateOptions): string {
  const control = DESCRIPTORS.control;
  return [
    ...(given.prologue === undefined ? [] : [given.prologue]),
    ...limitSettings(given),
    `echo >&${control}`,
    `IFS= read -r n <&${control} || exit 125`,
    `while [ "$n" -gt 0 ]; do IFS= read -r a <&${control} || exit 125; set -- "$@" "$a"; n=$((n-1)); done`,
    // The shell would say "Killed" where the program's own errors go.
    'exec 4>&2 2>/dev/null',
    `(exec "$@" 2>&${given.separatesErrors ? 4 : 1} 4>&- ${control}>&-)`,
    'exit $?',
  ].join('\n');
}

/** The message that opens the gate, and hands over further arguments. */
export function gateMessage(argv: readonly string[]): string {
  return [String(argv.length), ...argv, ''].join('\n');
}

const MAX_MESSAGE_LENGTH = 8_192;
const MAX_WORDS = 255;

/** Whether arguments can go through the gate; the shell reads them byte by byte, and lines end at a newline. */
export function fitsGate(argv: readonly string[]): boolean {
  if (argv.length > MAX_WORDS || argv.some((word) => word.includes('\n'))) return false;
  return argv.reduce((length, word) => length + word.length, 0) <= MAX_MESSAGE_LENGTH;
}

/** A limit that cannot be set is one that is stricter already. RLIMIT_AS would end Node programs at their start. */
function limitSettings({ limits, memory, pids }: GateOptions): readonly string[] {
  const kibibytes = Math.ceil(limits.memoryBytes / 1024);
  const settings = [
    'ulimit -c 0',
    `ulimit -f ${Math.ceil(limits.fileBytes / 512)}`,
    `ulimit -t ${limits.cpuSeconds}`,
    ...(memory ? [`ulimit -d ${kibibytes}`] : []),
    // dash and busybox call it -p, bash -u.
    ...(pids ? [`{ ulimit -p ${limits.pids} || ulimit -u ${limits.pids}; }`] : []),
  ];
  return settings.map((setting) => `${setting} 2>/dev/null`);
}
