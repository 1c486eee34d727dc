import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:net';
import type { Duplex, Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { ToolgateError } from '../../../domain/errors.js';
import { listProcesses, readProcess, startTimeOf } from '../process-table.js';
import { receiveListener } from '../proxy/receive-listener.js';
import { DESCRIPTORS } from './bwrap-arguments.js';
import { gateMessage } from './gate-script.js';

/** How to start one: the program, its arguments, and what stands at the descriptors from 3 on. */
export interface SandboxStart {
  readonly file: string;
  readonly argv: readonly string[];
  readonly descriptors: readonly ('pipe' | 'ipc' | 'ignore' | number)[];
  /** Whether the program can be written to; it has no input otherwise. */
  readonly keepsInput?: boolean;
}

export interface ExitStatus {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

const STDERR_TIMEOUT_MS = 1_000;
const NEVER = new AbortController().signal;

/** A started bwrap: outside its own process, inside the gate, which waits until it is opened. */
export class SandboxProcess {
  readonly #child: ChildProcess;
  /** Settles when bwrap has ended, and with it, if nobody killed it, everything inside. */
  readonly ended: Promise<ExitStatus>;
  /** Resolves when the gate waits; false if bwrap ended before. */
  readonly arrived: Promise<boolean>;
  readonly closed: Promise<void>;
  readonly #heard: Buffer[] = [];
  readonly #hear = (chunk: Buffer) => void this.#heard.push(chunk);
  #gate: number | undefined;
  #startTime: string | undefined;
  #hasEnded = false;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.ended = new Promise((resolve) => {
      child.once('exit', (exitCode, signal) => {
        this.#hasEnded = true;
        resolve({ exitCode, signal });
      });
    });
    this.closed = new Promise((resolve) => child.once('close', () => resolve()));
    this.arrived = new Promise((resolve) => {
      this.#control.once('data', () => resolve(true));
      void this.ended.then(() => resolve(false));
    });
    // From the start: what nobody listens for is lost when a process ends.
    this.stderr.on('data', this.#hear);
    // Without listeners a late EPIPE would end the host.
    child.on('error', () => undefined);
    this.#control.on('error', () => undefined);
    this.stdin?.on('error', () => undefined);
  }

  /** Rejects with what the system said if it cannot be started. */
  static async spawn({ file, argv, descriptors, keepsInput }: SandboxStart): Promise<SandboxProcess> {
    // No prototype: options that a polluted Object.prototype would add are not there.
    const options = Object.assign(Object.create(null) as object, {
      cwd: '/',
      // What bwrap gets of ours, anybody inside could read.
      env: {},
      stdio: [keepsInput ? 'pipe' : 'ignore', 'pipe', 'pipe', ...descriptors],
      detached: true,
      shell: false,
    }) as SpawnOptions;
    const child = spawn(file, argv, options);
    if (child.pid === undefined) throw (await once(child, 'error'))[0];
    return new SandboxProcess(child);
  }

  /** Names this start of it for good. */
  get startTime(): string {
    this.#startTime ??= startTimeOf(this.pid);
    return this.#startTime;
  }

  /** The listening socket that Node inside sends out of the sandbox, where it was started with a channel. */
  listener(): Promise<Server> {
    // Whoever gives up kills the process, and that closes the channel.
    return receiveListener(this.#child, { signal: NEVER });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Only where it was started to be written to. */
  get stdin(): Writable | null {
    return this.#child.stdin;
  }

  get stdout(): Readable {
    return this.#child.stdout as Readable;
  }

  get stderr(): Readable {
    return this.#child.stderr as Readable;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The gate's number on the host; only once it has arrived. */
  get gatePid(): number {
    this.#gate ??= onlyChildOf(this.pid);
    return this.#gate;
  }

  /** Lets the program run, with further arguments; its output has to be listened for by now. */
  open(argv: readonly string[]): void {
    this.stderr.off('data', this.#hear);
    this.#control.end(gateMessage(argv));
  }

  /** Asks all processes inside to end. Process 1 is deaf to that. */
  terminate(): void {
    if (this.#gate !== undefined && this.#isGateAlive()) signalQuietly(-this.#gate, 'SIGTERM');
  }

  /** Ends everything. Through the gate, if there is one: bwrap then ends when all is over, and not before. */
  kill(): void {
    if (this.#hasEnded) return;
    if (this.#gate !== undefined && this.#isGateAlive()) signalQuietly(this.#gate, 'SIGKILL');
    // Both at once: a bwrap that is only just starting leaves a child behind that waits for it for ever.
    else signalQuietly(-this.pid, 'SIGKILL');
  }

  /** Whether something inside could still be alive; bwrap may have been killed by somebody else. */
  get isGateGone(): boolean {
    return this.#gate === undefined || readProcess(this.#gate) === undefined;
  }

  /** What bwrap said before it gave up. */
  async complaint(): Promise<string> {
    this.stdout.resume();
    await Promise.race([this.closed, delay(STDERR_TIMEOUT_MS, undefined, { ref: false })]);
    return Buffer.concat(this.#heard).toString('utf8').trim();
  }

  /** Whether waiting for it keeps our own process alive. */
  hold(isHeld: boolean): void {
    const handles = [this.#child, this.#control, this.stdout, this.stderr] as readonly (
      | Duplex
      | ChildProcess
      | Readable
    )[];
    for (const handle of handles) (handle as { ref(): void; unref(): void })[isHeld ? 'ref' : 'unref']();
    this.#child.channel?.[isHeld ? 'ref' : 'unref']();
  }

  release(): void {
    this.stdout.destroy();
    this.stderr.destroy();
    this.#control.destroy();
  }

  get #control(): Duplex {
    return this.#child.stdio[DESCRIPTORS.control] as Duplex;
  }

  /** Its number may be somebody else's by now. */
  #isGateAlive(): boolean {
    return this.#gate !== undefined && readProcess(this.#gate)?.parent === this.pid;
  }
}

function onlyChildOf(pid: number): number {
  try {
    const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
    if (first) return Number(first);
  } catch {
    // A kernel that was built without this list.
  }
  const child = listProcesses().find(({ parent }) => parent === pid);
  if (child) return child.pid;
  // Never a number that stands for something else, as 0 does for ourselves.
  throw new ToolgateError('EXECUTION.TOOL.FAILED', 'The sandbox was gone before its process could be found');
}

function signalQuietly(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    // Gone already.
  }
}
