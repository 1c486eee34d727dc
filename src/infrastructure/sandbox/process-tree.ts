import { setTimeout as delay } from 'node:timers/promises';
import { hasNoVariables, hasVariable, lastPid, listProcesses, type ProcessEntry } from './process-table.js';

/** A process and all that came of it, also what left its group: told by group, session, parents and its own HOME. */
export interface ProcessTree {
  /** The leader of its own group and session. */
  readonly leader: number;
  /** When it started; undefined where there is no /proc, and then only its group can be found. */
  readonly startTicks: number | undefined;
  /** By performance.now(). */
  readonly startedAt: number;
  /** A folder that only this call has as its HOME. */
  readonly home: string;
}

const MAX_ROUNDS = 40;
const ROUND_MS = 5;
const UNSETTLED_ROUNDS = 4;
const FRESH_MS = 1_000;
/** The process that starts the kernel's threads. */
const KERNEL_PARENT = 2;

/** Sends a signal to the group, and to each process of the tree that left it. */
export function signalTree(tree: ProcessTree, signal: NodeJS.Signals): void {
  sendSignal(-tree.leader, signal);
  for (const { pid, group } of membersOf(tree)) {
    if (group !== tree.leader) sendSignal(pid, signal);
  }
}

/** Ends all of it for good, also what is started meanwhile. Says whether nothing is left. */
export async function killTree(tree: ProcessTree): Promise<boolean> {
  if (tree.startTicks === undefined) sendSignal(-tree.leader, 'SIGKILL');
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const members = membersOf(tree);
    if (members.length === 0 && (round >= UNSETTLED_ROUNDS || !hasUnsettled(tree))) return true;
    // The group first, in one call: nobody in it can fork away from that.
    if (members.some(({ group }) => group === tree.leader)) sendSignal(-tree.leader, 'SIGKILL');
    for (const { pid } of members) sendSignal(pid, 'SIGKILL');
    await delay(ROUND_MS);
  }
  return membersOf(tree).length === 0;
}

/**
 * While a process becomes another program it shows no variables, and one that has left its session cannot be told
 * from a stranger: it is worth another look. Threads of the kernel never show any.
 */
function hasUnsettled(tree: ProcessTree): boolean {
  return youngerThan(tree).some(({ pid, parent }) => parent !== KERNEL_PARENT && hasNoVariables(pid));
}

function youngerThan(tree: ProcessTree): readonly ProcessEntry[] {
  const since = tree.startTicks;
  if (since === undefined) return [];
  return listProcesses(lowestPid(tree)).filter(
    ({ pid, startTicks }) => startTicks >= since && pid !== process.pid,
  );
}

function membersOf(tree: ProcessTree): readonly ProcessEntry[] {
  const young = youngerThan(tree);
  const known = new Set(young.filter((entry) => belongsTo(tree, entry)).map(({ pid }) => pid));
  addDescendants(known, young);
  return young.filter(({ pid }) => known.has(pid));
}

/**
 * Numbers are given in order: what a process started has a higher one, unless they have all been used once since.
 * That takes longer than most calls do, and looking at every process takes longer than many.
 */
function lowestPid({ leader, startedAt }: ProcessTree): number {
  return performance.now() - startedAt < FRESH_MS && lastPid() >= leader ? leader : 1;
}

function belongsTo(tree: ProcessTree, { pid, group, session }: ProcessEntry): boolean {
  if (group === tree.leader || session === tree.leader) return true;
  return hasVariable(pid, 'HOME', tree.home);
}

function addDescendants(known: Set<number>, entries: readonly ProcessEntry[]): void {
  for (let before = -1; before < known.size; ) {
    before = known.size;
    for (const { pid, parent } of entries) if (known.has(parent)) known.add(pid);
  }
}

function sendSignal(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    // Gone already, or somebody else's by now.
  }
}
