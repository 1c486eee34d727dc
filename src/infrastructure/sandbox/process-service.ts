import type { Enforcement } from '../../domain/enforcement.js';
import type { ProcessPlan } from '../../ports/sandbox.js';
import type { Service, ServiceContext, ServiceEnd } from '../../ports/service.js';
import { PrivateHome } from './child-environment.js';
import { type GatedProcess, spawnGated } from './gated-spawn.js';
import { cancelled } from './process-errors.js';
import { readProcess, startTimeOf } from './process-table.js';
import { killTree, type ProcessTree, signalTree } from './process-tree.js';
import { stopperOf } from './service-stopper.js';
import { writerTo } from './service-writer.js';

/** Starts a planned process that stays, with no more than the checks of our own process around it. */
export async function startProcessService(
  plan: ProcessPlan,
  context: ServiceContext,
  enforcement: Enforcement,
): Promise<Service> {
  if (context.signal.aborted) throw cancelled();
  const home = new PrivateHome();
  try {
    const process = await spawnGated(plan, { home: home.path, isService: true });
    return begin(process, { context, enforcement, home });
  } catch (error) {
    await home.remove();
    throw error;
  }
}

interface Beginning {
  readonly context: ServiceContext;
  readonly enforcement: Enforcement;
  readonly home: PrivateHome;
}

function begin(process: GatedProcess, { context, enforcement, home }: Beginning): Service {
  const { child, pid } = process;
  const startTicks = readProcess(pid)?.startTicks;
  const tree: ProcessTree = { leader: pid, startTicks, startedAt: performance.now(), home: home.path };
  const ended = awaitEnd(process, tree, home);
  const stop = stopperOf({
    ended,
    terminate: () => signalTree(tree, 'SIGTERM'),
    kill: () => signalTree(tree, 'SIGKILL'),
    signal: context.signal,
  });
  child.stderr.on('data', context.onErrorOutput);
  try {
    context.onStart?.({ pid, startTime: startTimeOf(pid), home: home.path });
  } catch (error) {
    signalTree(tree, 'SIGKILL');
    throw error;
  }
  process.open();
  return { enforcement, output: child.stdout, write: writerTo(child.stdin, stop), ended, stop };
}

async function awaitEnd({ child }: GatedProcess, tree: ProcessTree, home: PrivateHome): Promise<ServiceEnd> {
  const end = await new Promise<ServiceEnd>((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
  });
  await killTree(tree);
  await home.remove();
  child.stdin.destroy();
  return end;
}
