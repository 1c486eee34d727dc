import { setTimeout as delay } from 'node:timers/promises';
import type { Enforcement } from '../../../domain/enforcement.js';
import type { ProcessPlan } from '../../../ports/sandbox.js';
import type { Service, ServiceContext, ServiceEnd } from '../../../ports/service.js';
import { cancelled, startError } from '../process-errors.js';
import { stopperOf } from '../service-stopper.js';
import { writerTo } from '../service-writer.js';
import { exitStatusOf } from './exit-status.js';
import { endSandbox, type Recipe, type WaitingSandbox } from './recipe.js';
import { becomeReady } from './run-call.js';

const DRAIN_MS = 100;

export interface ServiceStart {
  readonly recipe: Recipe;
  readonly plan: ProcessPlan;
  readonly context: ServiceContext;
  /** What holds it, once it is known which limits do. */
  readonly enforcementOf: (sandbox: WaitingSandbox) => Enforcement;
}

/** Starts a process that stays in a sandbox of its own; when it ends, the kernel has ended everything inside. */
export async function startService({ recipe, plan, context, enforcementOf }: ServiceStart): Promise<Service> {
  if (context.signal.aborted) throw cancelled();
  const sandbox = await recipe.start(plan.argv, { isService: true }).catch((error: unknown) => {
    throw startError(error, plan);
  });
  const { process } = sandbox;
  try {
    context.onStart?.({ pid: process.pid, startTime: process.startTime });
    await becomeReady(sandbox, () => recipe.settle(sandbox), context.signal);
    if (context.signal.aborted) throw cancelled();
  } catch (error) {
    await endSandbox(sandbox);
    throw error;
  }
  const ended = awaitEnd(sandbox);
  const { signal, onErrorOutput } = context;
  const stop = stopperOf({
    ended,
    signal,
    terminate: () => process.terminate(),
    kill: () => process.kill(),
  });
  process.stderr.on('data', onErrorOutput);
  process.open([]);
  const write = writerTo(process.stdin, stop);
  return { enforcement: enforcementOf(sandbox), output: process.stdout, write, ended, stop };
}

async function awaitEnd({ process, cgroup, wayOut }: WaitingSandbox): Promise<ServiceEnd> {
  const { exitCode, signal } = exitStatusOf(await process.ended);
  // Nobody may be reading what is left in the pipes.
  await Promise.race([process.closed, delay(DRAIN_MS, undefined, { ref: false })]);
  cgroup?.remove();
  await wayOut?.close();
  return { exitCode, signal };
}
