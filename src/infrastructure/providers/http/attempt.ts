import { ProviderError } from './provider-error.js';

export interface AttemptLimits {
  /** How long it may take in all. */
  readonly totalMs: number;
  /** How long nothing may come; absent where a reply comes all at once. */
  readonly idleMs?: number | undefined;
}

/** One try to get a reply: its signal is the caller's, and ends also when it takes too long. */
export class Attempt {
  readonly #controller = new AbortController();
  readonly #total: NodeJS.Timeout;
  readonly #idle: NodeJS.Timeout | undefined;
  readonly #cancel = (): void => this.#controller.abort();
  #timedOut: ProviderError | undefined;

  constructor(
    private readonly outer: AbortSignal,
    { totalMs, idleMs }: AttemptLimits,
  ) {
    this.#total = setTimeout(() => this.#expire(`no reply within ${totalMs} ms`, false), totalMs);
    if (idleMs !== undefined) {
      this.#idle = setTimeout(() => this.#expire(`nothing came for ${idleMs} ms`, true), idleMs);
    }
    outer.addEventListener('abort', this.#cancel);
    if (outer.aborted) this.#cancel();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Something came: the idle time counts from now. */
  readonly touch = (): void => void this.#idle?.refresh();

  /** What to tell of this error: that time was up or the caller gave up, if that is why it happened. */
  reasonFor(error: unknown): unknown {
    if (this.outer.aborted) return this.outer.reason;
    return this.#timedOut ?? error;
  }

  /** Closes the socket, whatever it is doing. */
  abort(): void {
    this.#controller.abort();
  }

  /** Stops watching; a reply that was read is no longer anybody's to end. */
  [Symbol.dispose](): void {
    clearTimeout(this.#total);
    clearTimeout(this.#idle);
    this.outer.removeEventListener('abort', this.#cancel);
  }

  #expire(problem: string, retry: boolean): void {
    this.#timedOut = new ProviderError('EXECUTION.PROVIDER.TIMEOUT', problem, { retry });
    this.#controller.abort();
  }
}
