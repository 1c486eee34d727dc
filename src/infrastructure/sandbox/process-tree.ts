import { setTimeout as delay } from 'node:timers/promises';
import { hasNoVariables, hasVariable, lastPid, listProcesses, type ProcessEntry } from './process-table.js';

/** A process and all that came of it, also what left its group: told by group, session, parents and its own HOME. */
export interface ProcessTree {
  /** The leader of its own group and session; undefined where that number may be somebody else's by now. */
  readonly leader: number | undefined;
  /** When it started; undefined where there is no /proc, and then only its group can be found. */
  readonly startTicks: number | undefined;
  /** By performance.now(). */
  readonly startedAt: number;
  /** A folder that only this call has as its HOME. */
  readonly home: string;
}

const MAX_ROUNDS = 40;
const ROUND_MS = 5;
const FRESH_MS = 1_000;
/** The process that starts the kernel's threads. */
const KERNEL_PARENT = 2;

/** Sends a signal to the group, and to each process of the tree that left it. */
export function signalTree(tree: ProcessTree, signal: NodeJS.Signals): void {
  if (tree.leader !== undefined) sendSignal(-tree.leader, signal);
  for (const { pid, group } of membersOf(tree)) {
    if (group !== tree.leader) sendSignal(pid, signal);
  }
}

/** Ends all of it for good, also what is started meanwhile. Says whether nothing is left. */
export async function killTree(tree: ProcessTree): Promise<boolean> {
  if (tree.startTicks === undefined && tree.leader !== undefined) sendSignal(-tree.leader, 'SIGKILL');
  const looks = new EmptyLooks();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const members = membersOf(tree);
    if (members.length > 0) looks.begin();
    else if (looks.isOver(unsettledIn(tree))) return true;
    endAll(members, tree);
    if (members.length > 0 || looks.isWaiting) await delay(ROUND_MS);
  }
  return membersOf(tree).length === 0;
}

/** The group first, in one call: nobody in it can fork away from that. */
function endAll(members: readonly ProcessEntry[], { leader }: ProcessTree): void {
  if (leader !== undefined && members.some(({ group }) => group === leader)) sendSignal(-leader, 'SIGKILL');
  for (const { pid } of members) sendSignal(pid, 'SIGKILL');
}

/**
 * When to believe that nothing is left. One look is not enough: whoever starts another process while the table is
 * read, and ends, is in it neither as itself nor as the other. And while a process becomes another program it cannot
 * be told from a stranger, so that those seen in that state are waited for; only those, for there may always be some.
 */
class EmptyLooks {
  #waitedFor: ReadonlySet<number> | undefined;

  get isWaiting(): boolean {
    return (this.#waitedFor?.size ?? 0) > 0;
  }

  begin(): void {
    this.#waitedFor = undefined;
  }

  isOver(unsettled: readonly number[]): boolean {
    const before = this.#waitedFor;
    this.#waitedFor = new Set(before ? unsettled.filter((pid) => before.has(pid)) : unsettled);
    return before !== undefined && this.#waitedFor.size === 0;
  }
}

/** Processes that show no variables. Threads of the kernel never show any. */
function unsettledIn(tree: ProcessTree): readonly number[] {
  const young = youngerThan(tree).filter(({ parent }) => parent !== KERNEL_PARENT);
  return young.map(({ pid }) => pid).filter(hasNoVariables);
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
  if (leader === undefined) return 1;
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
