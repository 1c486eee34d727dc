import { randomBytes } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { ToolgateError } from '../../domain/errors.js';

/** The right to write a run's journal, held by one process at a time. */
export interface Lease {
  release(): void;
}

interface Holder {
  readonly pid: number;
  readonly startTime: string;
  readonly boot: string;
  readonly host: string;
}

/**
 * Takes the lease of a run's folder, or throws SYSTEM.JOURNAL.LEASED. Leases are numbered: whoever creates the
 * next number first has it, so of two processes that both see a dead holder only one wins. They are never
 * deleted, since a number used twice would let two win.
 */
export function takeLease(folder: string): Lease {
  const current = newestLease(folder);
  if (current && !current.released) refuseIfAlive(current.holder);
  const path = join(folder, `lease-${(current?.number ?? 0) + 1}`);
  if (!createWhole(path, JSON.stringify(ownHolder()))) {
    throw leased('another process took it at the same moment');
  }
  return { release: () => writeFileSync(`${path}.released`, '', { mode: 0o600 }) };
}

/** Removes leases that are over, for a folder that lives on: the newest number stays, so that none is used twice. */
export function forgetOldLeases(folder: string): void {
  const newest = newestLease(folder)?.number ?? 0;
  for (const name of readdirSync(folder)) {
    const number = Number(/^lease-(\d+)(?:\.released)?$/.exec(name)?.[1] ?? newest);
    if (number < newest) rmSync(join(folder, name), { force: true });
  }
}

/** Whether a living process holds the run just now. */
export function isLeased(folder: string): boolean {
  const current = newestLease(folder);
  return current !== undefined && !current.released && isAlive(current.holder) !== 'dead';
}

interface FoundLease {
  readonly number: number;
  readonly released: boolean;
  readonly holder: Holder;
}

function newestLease(folder: string): FoundLease | undefined {
  const names = readdirSync(folder);
  const numbers = names.flatMap((name) => {
    const match = /^lease-(\d+)$/.exec(name);
    return match ? [Number(match[1])] : [];
  });
  if (numbers.length === 0) return undefined;
  const number = Math.max(...numbers);
  const holder = JSON.parse(readFileSync(join(folder, `lease-${number}`), 'utf8')) as Holder;
  return { number, holder, released: names.includes(`lease-${number}.released`) };
}

/** Creates a file with its content in one step; false if it is there already. */
function createWhole(path: string, content: string): boolean {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, content, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    unlinkSync(draft);
  }
}

function refuseIfAlive(holder: Holder): void {
  const life = isAlive(holder);
  if (life === 'alive') throw leased(`process ${holder.pid} is working on it`);
  if (life === 'unknown') throw leased(`a process on "${holder.host}" may be working on it`);
}

function isAlive(holder: Holder): 'alive' | 'dead' | 'unknown' {
  if (holder.host !== hostname()) return 'unknown';
  if (holder.boot !== bootId()) return 'dead';
  const stat = processStat(holder.pid);
  if (stat) return stat.startTime === holder.startTime && stat.state !== 'Z' ? 'alive' : 'dead';
  return hasProc() || !respondsToSignals(holder.pid) ? 'dead' : 'alive';
}

function ownHolder(): Holder {
  const startTime = processStat(process.pid)?.startTime ?? '';
  return { pid: process.pid, startTime, boot: bootId(), host: hostname() };
}

/** Fields 3 and 22 of /proc/PID/stat; a pid that is used again has another start time. */
function processStat(pid: number): { readonly state: string; readonly startTime: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything, also spaces and parentheses.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', startTime: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}

function hasProc(): boolean {
  return processStat(process.pid) !== undefined;
}

function respondsToSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

function leased(why: string): ToolgateError {
  return new ToolgateError('SYSTEM.JOURNAL.LEASED', `The run is taken: ${why}`);
}
