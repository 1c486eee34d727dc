import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessContext } from '../../../ports/sandbox.js';
import { collectOutput } from '../collect-output.js';
import { type CollectedOutput, OutputCollector } from '../output-collector.js';
import { stillRunning } from '../process-errors.js';
import { exitStatusOf } from './exit-status.js';
import type { ExitStatus, SandboxProcess } from './sandbox-process.js';

export interface SandboxEnd extends ExitStatus, CollectedOutput {}

export interface SandboxRun {
  /** Arguments that go through the gate. */
  readonly argv: readonly string[];
  readonly maxOutputBytes: number;
  readonly context: ProcessContext;
}

const TERM_GRACE_MS = 200;
const KILL_GRACE_MS = 5_000;
const DRAIN_MS = 100;
const GONE_MS = 2;
const GONE_ATTEMPTS = 500;

/** Opens a gate and waits for the program's end, or brings it about. Afterwards nothing inside is alive. */
export async function runSandbox(
  process: SandboxProcess,
  { argv, maxOutputBytes, context }: SandboxRun,
): Promise<SandboxEnd> {
  const collector = new OutputCollector(maxOutputBytes, context.outputFile);
  collectOutput(process.stdout, collector);
  try {
    const ending = awaitEnd(process, context.signal);
    process.open(argv);
    const end = await ending;
    if (end.signal !== null) await awaitGone(process);
    // Nothing holds the pipes any more; what is still in them comes now.
    await Promise.race([process.closed, delay(DRAIN_MS, undefined, { ref: false })]);
    return { ...exitStatusOf(end), ...collector.finish() };
  } catch (error) {
    collector.finish();
    throw error;
  } finally {
    process.release();
  }
}

function awaitEnd(process: SandboxProcess, signal: AbortSignal): Promise<ExitStatus> {
  const timers: NodeJS.Timeout[] = [];
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      process.terminate();
      timers.push(setTimeout(() => process.kill(), TERM_GRACE_MS));
      timers.push(setTimeout(() => reject(stillRunning(process.pid)), KILL_GRACE_MS));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    void process.ended.then((end) => {
      signal.removeEventListener('abort', onAbort);
      for (const timer of timers) clearTimeout(timer);
      resolve(end);
    });
  });
}

/** bwrap ends after everything inside, unless it was killed itself; then the kernel is still at it. */
async function awaitGone(process: SandboxProcess): Promise<void> {
  for (let attempt = 0; attempt < GONE_ATTEMPTS && !process.isGateGone; attempt++) await delay(GONE_MS);
  if (!process.isGateGone) throw stillRunning(process.gatePid);
}
