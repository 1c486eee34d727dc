import { readdirSync, readFileSync } from 'node:fs';

/** One living process, as /proc describes it. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Clock ticks since the machine started. */
  readonly startTicks: number;
}

/**
 * Every process that still runs; empty where there is no /proc. Zombies are left out: they only wait to be counted.
 * `from` leaves out lower numbers.
 */
export function listProcesses(from = 1): readonly ProcessEntry[] {
  try {
    const pids = readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid >= from);
    return pids.flatMap((pid) => readProcess(pid) ?? []);
  } catch {
    return [];
  }
}

/** The number that was given to a process last; 0 where that is not known. */
export function lastPid(): number {
  return Number(readQuietly('/proc/loadavg').trim().split(' ').at(-1) ?? 0);
}

/** One process; undefined if it is gone, dead, or cannot be looked at. */
export function readProcess(pid: number): ProcessEntry | undefined {
  const stat = readQuietly(`/proc/${pid}/stat`);
  // The name in parentheses may hold anything, also parentheses: what counts comes after the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group, session] = fields;
  if (stat === '' || state === 'Z' || state === 'X') return undefined;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startTicks: Number(fields[19]),
  };
}

/** Names one start of one process for good: the boot, and the ticks at which it started. Empty where unknown. */
export function startTimeOf(pid: number): string {
  const entry = readProcess(pid);
  const id = bootId();
  return entry && id ? `${id}:${entry.startTicks}` : '';
}

/** Changes with every start of the machine; empty where there is no /proc. */
export function bootId(): string {
  boot ??= readQuietly('/proc/sys/kernel/random/boot_id').trim();
  return boot;
}

let boot: string | undefined;

/** Whether a process was started with a variable of this value, by itself or by whoever started it. */
export function hasVariable(pid: number, name: string, value: string): boolean {
  return `\0${readQuietly(`/proc/${pid}/environ`)}\0`.includes(`\0${name}=${value}\0`);
}

/** Whether a process shows no variables at all: it clears them, or is just becoming another program. */
export function hasNoVariables(pid: number): boolean {
  return readQuietly(`/proc/${pid}/environ`) === '';
}

function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
