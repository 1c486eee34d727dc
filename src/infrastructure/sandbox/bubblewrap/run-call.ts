import type { ProcessContext, ProcessPlan } from '../../../ports/sandbox.js';
import { cancelled, startError } from '../process-errors.js';
import { fitsGate } from './gate-script.js';
import { endSandbox, type WaitingSandbox } from './recipe.js';
import type { RecipeEntry } from './recipe-book.js';
import { runSandbox, type SandboxEnd } from './run-sandbox.js';

export interface CallEnd extends SandboxEnd {
  readonly sandbox: WaitingSandbox;
  readonly wasOutOfMemory: boolean;
}

export interface SandboxCall {
  readonly plan: ProcessPlan;
  readonly context: ProcessContext;
  /** Told which sandbox it is before anything runs in it. */
  readonly onSandbox?: (sandbox: WaitingSandbox) => void;
}

/** Runs one call in a sandbox of its own: in one that waits, if the arguments can be handed to it, else in a new one. */
export async function runCall(entry: RecipeEntry, call: SandboxCall): Promise<CallEnd> {
  entry.calls++;
  const waiting = fitsGate(call.plan.argv) ? await entry.pool.take() : undefined;
  const sandbox = waiting ?? (await start(entry, call.plan));
  call.onSandbox?.(sandbox);
  try {
    return await runIn(sandbox, call, {
      argv: waiting ? call.plan.argv : [],
      ready: waiting ? undefined : () => entry.recipe.settle(sandbox),
    });
  } catch (error) {
    await endSandbox(sandbox);
    throw error;
  } finally {
    sandbox.cgroup?.remove();
    await sandbox.wayOut?.close();
    entry.pool.refill(entry.calls);
  }
}

async function start({ recipe }: RecipeEntry, plan: ProcessPlan): Promise<WaitingSandbox> {
  try {
    return await recipe.start(plan.argv);
  } catch (error) {
    throw startError(error, plan);
  }
}

interface Beginning {
  readonly argv: readonly string[];
  readonly ready: (() => Promise<void>) | undefined;
}

async function runIn(
  sandbox: WaitingSandbox,
  { plan, context }: SandboxCall,
  { argv, ready }: Beginning,
): Promise<CallEnd> {
  const { process, cgroup } = sandbox;
  // Whoever records the start may refuse it; nothing has happened yet.
  context.onStart?.({ pid: process.pid, startTime: process.startTime });
  if (ready) await becomeReady(sandbox, ready, context.signal);
  if (context.signal.aborted) throw cancelled();
  const { maxOutputBytes } = plan.policy.permissions.limits;
  const end = await runSandbox(process, { argv, maxOutputBytes, context });
  return { ...end, sandbox, wasOutOfMemory: end.exitCode !== 0 && cgroup?.ranOutOfMemory === true };
}

/** An abort while a sandbox is being set up ends that. */
export async function becomeReady(
  { process }: WaitingSandbox,
  ready: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const onAbort = () => process.kill();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await ready();
  } catch (error) {
    throw signal.aborted ? cancelled() : error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
