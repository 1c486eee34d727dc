/** A queue between a producer that never waits and one reader that may be slow. */
export class EventQueue<T> implements AsyncIterable<T> {
  #waiting: T[] = [];
  #closed = false;
  #wake: (() => void) | undefined;

  readonly push = (item: T): void => {
    this.#waiting.push(item);
    this.#wakeReader();
  };

  /** No more will come; the reader gets what is left, then the end. */
  readonly close = (): void => {
    this.#closed = true;
    this.#wakeReader();
  };

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for (;;) {
      // Taken as a whole, so that a long backlog costs no shifting.
      const batch = this.#waiting;
      this.#waiting = [];
      yield* batch;
      if (this.#waiting.length > 0) continue;
      if (this.#closed) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #wakeReader(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}
