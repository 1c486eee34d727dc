import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessContext, ProcessPlan } from '../../ports/sandbox.js';
import { PrivateHome } from './child-environment.js';
import { collectOutput } from './collect-output.js';
import { type GatedProcess, spawnGated } from './gated-spawn.js';
import { type CollectedOutput, OutputCollector } from './output-collector.js';
import { cancelled, startError, stillRunning } from './process-errors.js';
import { readProcess, startTimeOf } from './process-table.js';
import { killTree, type ProcessTree, signalTree } from './process-tree.js';

export interface ProcessEnd extends CollectedOutput {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** False if something that it started could not be ended. */
  readonly isGone: boolean;
}

const TERM_GRACE_MS = 200;
const KILL_GRACE_MS = 5_000;
const DRAIN_MS = 100;

/** Runs a planned process to its end or its abort, and ends whatever it left behind. */
export async function runProcess(plan: ProcessPlan, context: ProcessContext): Promise<ProcessEnd> {
  if (context.signal.aborted) throw cancelled();
  const home = makeHome(plan);
  try {
    const process = await spawnGated(plan, { home: home.path });
    return await supervise(process, { plan, context, home: home.path });
  } finally {
    await home.remove();
  }
}

function makeHome(plan: ProcessPlan): PrivateHome {
  try {
    return new PrivateHome();
  } catch (error) {
    throw startError(error, plan);
  }
}

interface Supervision {
  readonly plan: ProcessPlan;
  readonly context: ProcessContext;
  readonly home: string;
}

async function supervise(process: GatedProcess, { plan, context, home }: Supervision): Promise<ProcessEnd> {
  const { child, pid } = process;
  const startTicks = readProcess(pid)?.startTicks;
  const tree: ProcessTree = { leader: pid, startTicks, startedAt: performance.now(), home };
  const collector = new OutputCollector(plan.policy.permissions.limits.maxOutputBytes, context.outputFile);
  collectOutput(child.stdout, collector);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  try {
    const end = awaitEnd(process, tree, context.signal);
    openGate(process, { context, home });
    const { exitCode, signal } = await end;
    const isGone = await killTree(tree);
    // Something that survived may hold the pipes open: it is not waited for.
    await Promise.race([closed, delay(DRAIN_MS, undefined, { ref: false })]);
    return { exitCode, signal, isGone, ...collector.finish() };
  } catch (error) {
    await killTree(tree);
    collector.finish();
    throw error;
  } finally {
    child.stdout.destroy();
    child.stderr.destroy();
    child.stdin.destroy();
  }
}

/** Whoever records the start may refuse it; then nothing has happened yet. */
function openGate(
  process: GatedProcess,
  { context: { onStart, signal }, home }: Pick<Supervision, 'context' | 'home'>,
): void {
  if (signal.aborted) throw cancelled();
  onStart?.({ pid: process.pid, startTime: startTimeOf(process.pid), home });
  process.open();
}

interface ExitStatus {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

function awaitEnd({ child, pid }: GatedProcess, tree: ProcessTree, signal: AbortSignal): Promise<ExitStatus> {
  const timers: NodeJS.Timeout[] = [];
  return new Promise<ExitStatus>((resolve, reject) => {
    const onAbort = () => {
      signalTree(tree, 'SIGTERM');
      timers.push(setTimeout(() => signalTree(tree, 'SIGKILL'), TERM_GRACE_MS));
      timers.push(setTimeout(() => reject(stillRunning(pid)), KILL_GRACE_MS));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    child.once('exit', (exitCode, exitSignal) => {
      signal.removeEventListener('abort', onAbort);
      for (const timer of timers) clearTimeout(timer);
      resolve({ exitCode, signal: exitSignal });
    });
  });
}
