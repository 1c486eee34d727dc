import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

const TERM_GRACE_MS = 500;
const DRAIN_MS = 1_000;

/** A child that leads its own group, so that all it starts can be ended with it. */
export class ProcessGroup {
  /** When it has ended and all it wrote has been read; or soon after, if something it left holds its pipes open. */
  readonly closed: Promise<void>;

  constructor(private readonly child: ChildProcess) {
    const close = new Promise<void>((resolve) => child.once('close', () => resolve()));
    const failed = new Promise<void>((resolve) => child.once('error', () => resolve()));
    const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const left = exit.then(() => {
      this.#signal('SIGKILL');
      return delay(DRAIN_MS, undefined, { ref: false });
    });
    this.closed = Promise.race([close, failed, left]);
  }

  /** Asks it to end, and ends it if it does not. */
  end(): void {
    this.#signal('SIGTERM');
    const timer = setTimeout(() => this.#signal('SIGKILL'), TERM_GRACE_MS);
    void this.closed.finally(() => clearTimeout(timer));
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // Nobody is left in it.
    }
  }
}
