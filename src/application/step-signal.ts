import { LONGEST_TIMER_MS } from '../domain/longest-timer.js';

/** One signal for a whole step: it fires when the caller cancels, or when the step's time is up. */
export class StepSignal implements Disposable {
  readonly #controller = new AbortController();
  readonly #waiting = new Set<(reason: unknown) => void>();
  #isCancelled = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #follow = (): void => this.#abort(this.parent.reason);

  constructor(private readonly parent: AbortSignal) {
    if (parent.aborted) this.#follow();
    else parent.addEventListener('abort', this.#follow, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** True when the caller cancelled, not when time ran out. */
  get isCancelled(): boolean {
    return this.#isCancelled || this.parent.aborted;
  }

  /** As if the caller had cancelled: somebody pressed Ctrl-C where only a gate could see it. */
  cancel(reason: string): void {
    this.#isCancelled = true;
    this.#abort(new Error(reason));
  }

  /** Ends the step's effects after so many milliseconds; a time already past ends them at once. */
  arm(remainingMs: number): void {
    // Longer than a timer can wait is as good as never.
    if (remainingMs >= LONGEST_TIMER_MS) return;
    const fire = (): void => this.#abort(new Error('the step has reached its max_duration'));
    // A timer may fire a millisecond before the clock says so: then the time would not be up yet for whoever asks why.
    this.#timer = setTimeout(fire, remainingMs > 0 ? remainingMs + 1 : 0);
  }

  /** Waits for a promise no longer than the signal allows; what comes of the promise later is nobody's concern. */
  race<T>(promise: Promise<T>): Promise<T> {
    // A listener on the signal for each turn would cost more than all the rest of the turn.
    return new Promise<T>((resolve, reject) => {
      if (this.signal.aborted) reject(this.signal.reason);
      this.#waiting.add(reject);
      promise.then(
        (value) => {
          this.#waiting.delete(reject);
          resolve(value);
        },
        (error: unknown) => {
          this.#waiting.delete(reject);
          reject(error);
        },
      );
    });
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.parent.removeEventListener('abort', this.#follow);
  }

  #abort(reason: unknown): void {
    this.#controller.abort(reason);
    for (const reject of this.#waiting) reject(reason);
  }
}
