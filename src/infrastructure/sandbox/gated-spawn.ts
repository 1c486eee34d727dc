import { type ChildProcessByStdio, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { ProcessPlan } from '../../ports/sandbox.js';
import { childEnvironment } from './child-environment.js';
import { coverInherited } from './inherited-descriptors.js';
import { startError } from './process-errors.js';

/** A process that waits at its gate: it becomes the planned program when a line arrives, and ends if none can. */
export interface GatedProcess {
  readonly pid: number;
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  open(): void;
}

export interface GateOptions {
  readonly home: string;
  /** A service has an input, which begins behind the gate's line, and its errors apart; a call has one output only. */
  readonly isService?: boolean;
}

const MAX_FILE_BLOCKS = (1024 * 1024 * 1024) / 512;

/**
 * Starts a planned process in a group and session of its own. Until the gate is opened nothing has happened, so
 * that it can be recorded first; if we die before that, the gate closes and the program never runs.
 */
export async function spawnGated(plan: ProcessPlan, options: GateOptions): Promise<GatedProcess> {
  const child = startShell(plan, options);
  if (child.pid === undefined) {
    const [error] = (await once(child, 'error')) as unknown[];
    throw startError(error, plan);
  }
  // Without listeners a late EPIPE would end the host.
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  const open = (): unknown => (options.isService ? child.stdin.write('\n') : child.stdin.end('\n'));
  return { pid: child.pid, child, open: () => void open() };
}

function startShell(
  plan: ProcessPlan,
  { home, isService = false }: GateOptions,
): ChildProcessByStdio<Writable, Readable, Readable> {
  // No prototype: options that a polluted Object.prototype would add are not there.
  const options = Object.assign(Object.create(null) as object, {
    cwd: plan.cwd,
    env: childEnvironment(plan.policy, { home }),
    stdio: ['pipe', 'pipe', 'pipe', ...coverInherited()],
    detached: true,
    shell: false,
    windowsHide: true,
  }) as SpawnOptions;
  try {
    const script = gateScript(plan.policy.permissions.limits.memoryBytes, isService);
    const argv = ['-c', script, 'sh', ...plan.argv];
    return spawn('/bin/sh', argv, options) as ChildProcessByStdio<Writable, Readable, Readable>;
  } catch (error) {
    throw startError(error, plan);
  }
}

/**
 * Limits are set by the shell, for Node cannot. RLIMIT_DATA, not RLIMIT_AS: the latter ends Node programs at their
 * start. A limit that cannot be set is one that is stricter already.
 */
function gateScript(memoryBytes: number, isService: boolean): string {
  const limits = [`-c 0`, `-f ${MAX_FILE_BLOCKS}`, `-d ${Math.ceil(memoryBytes / 1024)}`];
  const settings = limits.map((limit) => `ulimit ${limit} 2>/dev/null`);
  const streams = isService ? '' : ' </dev/null 2>&1';
  return `read -r go || exit 125; ${settings.join('; ')}; exec "$@"${streams}`;
}
