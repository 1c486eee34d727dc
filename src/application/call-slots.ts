interface Waiting {
  readonly isExclusive: boolean;
  readonly admit: () => void;
}

/**
 * Lets calls that come one by one run side by side: at most so many, some with nothing beside them, in the order they
 * came. A call that is cancelled while it waits leaves the line at once; whoever runs it sees its signal first.
 */
export class CallSlots {
  readonly #line: Waiting[] = [];
  #running = 0;
  #isAlone = false;

  constructor(private readonly maxParallel: number) {}

  async use<T>(
    work: () => Promise<T>,
    { isExclusive, signal }: { readonly isExclusive: boolean; readonly signal: AbortSignal },
  ): Promise<T> {
    if (!(await this.#admitted(isExclusive, signal))) return work();
    try {
      return await work();
    } finally {
      this.#running -= 1;
      if (isExclusive) this.#isAlone = false;
      this.#advance();
    }
  }

  /** False if the signal fired first. */
  async #admitted(isExclusive: boolean, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (this.#line.length === 0 && this.#hasRoom(isExclusive)) {
      this.#enter(isExclusive);
      return true;
    }
    return new Promise((resolve) => {
      const leave = (): void => {
        this.#line.splice(this.#line.indexOf(waiting), 1);
        resolve(false);
        this.#advance();
      };
      const admit = (): void => {
        signal.removeEventListener('abort', leave);
        this.#enter(isExclusive);
        resolve(true);
      };
      const waiting: Waiting = { isExclusive, admit };
      this.#line.push(waiting);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  #hasRoom(isExclusive: boolean): boolean {
    return !this.#isAlone && this.#running < (isExclusive ? 1 : Math.max(1, this.maxParallel));
  }

  #enter(isExclusive: boolean): void {
    this.#running += 1;
    this.#isAlone = isExclusive;
  }

  #advance(): void {
    for (let next = this.#line[0]; next && this.#hasRoom(next.isExclusive); next = this.#line[0]) {
      this.#line.shift();
      next.admit();
    }
  }
}
