import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessReaper } from '../../ports/process-reaper.js';
import type { StartedProcess } from '../../ports/sandbox.js';
import { bootId, listProcesses, readProcess } from './process-table.js';

const TERM_GRACE_MS = 500;
const KILL_GRACE_MS = 500;
const POLL_MS = 10;

/** Ends process groups by pid, where /proc can show that they are the ones that were recorded. */
export class SystemProcessReaper implements ProcessReaper {
  async end(
    started: StartedProcess,
    context: { readonly signal: AbortSignal },
  ): Promise<'gone' | 'still-running'> {
    const recorded = parseStartTime(started.startTime);
    if (!recorded) return isAlive(started.pid) ? 'still-running' : 'gone';
    if (recorded.boot !== bootId()) return 'gone';
    const group: Group = { id: started.pid, startTicks: recorded.ticks };
    if (!hasMembers(group)) return 'gone';
    for (const { signal, graceMs } of ENDINGS) {
      sendToGroup(group, signal);
      if (await vanishes(group, graceMs, context.signal)) return 'gone';
    }
    return 'still-running';
  }
}

const ENDINGS = [
  { signal: 'SIGTERM', graceMs: TERM_GRACE_MS },
  { signal: 'SIGKILL', graceMs: KILL_GRACE_MS },
] as const;

interface Group {
  readonly id: number;
  readonly startTicks: number;
}

function parseStartTime(text: string): { readonly boot: string; readonly ticks: number } | undefined {
  const match = /^([0-9a-f-]{36}):(\d+)$/.exec(text);
  return match ? { boot: match[1] ?? '', ticks: Number(match[2]) } : undefined;
}

/**
 * The number of a group is not given away while the group has members. So if a process with that number started
 * at another time, the recorded group is gone; and if none has it, the members left are of the recorded group.
 */
function hasMembers(group: Group): boolean {
  const leader = readProcess(group.id);
  if (leader && leader.startTicks !== group.startTicks) return false;
  return listProcesses().some(
    (entry) => entry.group === group.id && entry.startTicks >= group.startTicks && entry.pid !== process.pid,
  );
}

function sendToGroup({ id }: Group, signal: NodeJS.Signals): void {
  try {
    process.kill(-id, signal);
  } catch {
    // Gone meanwhile, or not ours to end: the next look tells.
  }
}

async function vanishes(group: Group, withinMs: number, signal: AbortSignal): Promise<boolean> {
  for (let waited = 0; waited < withinMs && !signal.aborted; waited += POLL_MS) {
    if (!hasMembers(group)) return true;
    await delay(POLL_MS);
  }
  return !hasMembers(group);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
