import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Environment, Terminal, TerminalDescriptors } from './terminal.js';

export interface TerminalProgram {
  /** As the person's own environment names it, with its options: `code --wait`. */
  readonly command: string;
  readonly args?: readonly string[];
  readonly env: Environment;
  /** What it reads instead of the keyboard. */
  readonly input?: string;
}

/** What a shell ends with where there is no such program. */
export const CANNOT_RUN = 127;

const SHELL = '/bin/sh';
const GRACE_MS = 2000;

/** Runs a program of the person's own on the terminal until it ends; undefined if it was ended. */
export async function runOnTerminal(
  terminal: Terminal,
  program: TerminalProgram,
): Promise<number | undefined> {
  return terminal.lend((descriptors) => run(program, descriptors, terminal.signal));
}

async function run(
  { command, args = [], env, input }: TerminalProgram,
  { keyboard, screen }: TerminalDescriptors,
  signal: AbortSignal,
): Promise<number | undefined> {
  signal.throwIfAborted();
  const child = spawn(SHELL, ['-c', `exec ${command} "$@"`, SHELL, ...args], {
    env: { ...env },
    stdio: [input === undefined ? keyboard : 'pipe', screen, screen],
  });
  // A pager that is left early does not read to the end.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  const end = () => void endSoon(child);
  signal.addEventListener('abort', end, { once: true });
  try {
    const [code] = await once(child, 'exit');
    return code ?? undefined;
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** Kindly first: an editor that is asked to end leaves the terminal as it was. */
async function endSoon(child: ReturnType<typeof spawn>): Promise<void> {
  child.kill('SIGTERM');
  await Promise.race([once(child, 'exit'), delay(GRACE_MS, undefined, { ref: false })]);
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
}
