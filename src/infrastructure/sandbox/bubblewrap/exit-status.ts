import { constants } from 'node:os';
import type { ExitStatus } from './sandbox-process.js';

/** Those that programs are ended with; an exit code that stands for another one is a plain exit code. */
const LETHAL: readonly NodeJS.Signals[] = [
  ...([
    'SIGHUP',
    'SIGINT',
    'SIGQUIT',
    'SIGILL',
    'SIGTRAP',
    'SIGABRT',
    'SIGBUS',
    'SIGFPE',
    'SIGKILL',
  ] as const),
  ...([
    'SIGUSR1',
    'SIGSEGV',
    'SIGUSR2',
    'SIGPIPE',
    'SIGALRM',
    'SIGTERM',
    'SIGXCPU',
    'SIGXFSZ',
    'SIGSYS',
  ] as const),
];

const NAMES: ReadonlyMap<number, string> = new Map(
  LETHAL.map((name) => [128 + constants.signals[name], name]),
);

/** The gate tells the end of a program by signal as shells do, as 128 and its number; this is what it means. */
export function exitStatusOf({ exitCode, signal }: ExitStatus): ExitStatus {
  const name = exitCode === null ? undefined : NAMES.get(exitCode);
  return name === undefined ? { exitCode, signal } : { exitCode: null, signal: name };
}
