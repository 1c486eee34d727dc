import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessReaper } from '../../ports/process-reaper.js';
import type { StartedProcess } from '../../ports/sandbox.js';
import { bootId, listProcesses, readProcess } from './process-table.js';
import { killTree } from './process-tree.js';

const TERM_GRACE_MS = 500;
const KILL_GRACE_MS = 500;
const POLL_MS = 10;

/** What a private home is called: nothing else is believed to be nobody else's, whatever a record says. */
const PRIVATE_HOME = /\/toolgate-home-\w+$/;

/** Ends process groups by pid, where /proc can show that they are the ones that were recorded, and what left them. */
export class SystemProcessReaper implements ProcessReaper {
  async end(
    started: StartedProcess,
    context: { readonly signal: AbortSignal },
  ): Promise<'gone' | 'still-running'> {
    const recorded = parseStartTime(started.startTime);
    if (!recorded) return isAlive(started.pid) ? 'still-running' : 'gone';
    if (recorded.boot !== bootId()) return 'gone';
    const group: Group = { id: started.pid, startTicks: recorded.ticks };
    const isGroupGone = await endGroup(group, context.signal);
    const isRestGone = await endThoseWhoLeft(started.home, group);
    return isGroupGone && isRestGone ? 'gone' : 'still-running';
  }
}

async function endGroup(group: Group, aborted: AbortSignal): Promise<boolean> {
  if (!hasMembers(group)) return true;
  for (const { signal, graceMs } of ENDINGS) {
    sendToGroup(group, signal);
    if (await vanishes(group, graceMs, aborted)) return true;
  }
  return false;
}

/** A session of its own (`setsid`) is no longer in the group; its HOME tells whose it is. */
async function endThoseWhoLeft(home: string | undefined, { startTicks }: Group): Promise<boolean> {
  if (home === undefined || !PRIVATE_HOME.test(home)) return true;
  return killTree({ leader: undefined, startTicks, startedAt: performance.now(), home });
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
