/** A queue between a producer that never waits and one reader that may be slow. */
export class EventQueue<T> {
  #waiting: T[] = [];
  #closed = false;
  #wake: (() => void) | undefined;

  get isClosed(): boolean {
    return this.#closed;
  }

  readonly push = (item: T): void => {
    this.#waiting.push(item);
    this.#wakeReader();
  };

  /** No more will come; the reader gets what is left, then the end. */
  readonly close = (): void => {
    this.#closed = true;
    this.#wakeReader();
  };

  /** All that came since the last time, waiting for at least one; `undefined` at the end. */
  async take(): Promise<readonly T[] | undefined> {
    while (this.#waiting.length === 0) {
      if (this.#closed) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const batch = this.#waiting;
    this.#waiting = [];
    return batch;
  }

  #wakeReader(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}
