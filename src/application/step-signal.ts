/** One signal for a whole step: it fires when the caller cancels, or when the step's time is up. */
export class StepSignal implements Disposable {
  readonly #controller = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #follow = (): void => this.#controller.abort(this.parent.reason);

  constructor(private readonly parent: AbortSignal) {
    if (parent.aborted) this.#follow();
    else parent.addEventListener('abort', this.#follow, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** True when the caller cancelled, not when time ran out. */
  get isCancelled(): boolean {
    return this.parent.aborted;
  }

  /** Ends the step's effects after so many milliseconds; a time already past ends them at once. */
  arm(remainingMs: number): void {
    const fire = (): void => this.#controller.abort(new Error('the step has reached its max_duration'));
    // Longer than a timer can wait is as good as never.
    if (remainingMs > 2 ** 31 - 1) return;
    this.#timer = setTimeout(fire, Math.max(0, remainingMs));
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.parent.removeEventListener('abort', this.#follow);
  }
}

/** Waits for a promise no longer than the signal allows; what comes of the promise later is nobody's concern. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    if (onAbort) signal.removeEventListener('abort', onAbort);
    promise.catch(() => undefined);
  }
}
