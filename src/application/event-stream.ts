/** What a stream shows: `start` sends events and ends with the result; `leave` is told when nobody reads any more. */
export interface EventSource<T, R> {
  readonly start: (emit: (event: T) => void) => Promise<R>;
  readonly leave: () => void;
}

interface Reader<T, R> {
  readonly resolve: (result: IteratorResult<T, R>) => void;
  readonly reject: (error: unknown) => void;
}

type Ending<R> = { readonly value: R } | { readonly error: unknown };

/**
 * The events of a producer that never waits, for one reader that may be slow. An async generator in all but its
 * making: the language's own makes so many promises an event that they cost more than the call it tells of.
 */
export class EventStream<T, R> implements AsyncGenerator<T, R, void> {
  readonly #source: EventSource<T, R>;
  #events: T[] = [];
  #taken = 0;
  readonly #readers: Reader<T, R>[] = [];
  #running: Promise<void> | undefined;
  #ending: Ending<R> | undefined;
  #isLeft = false;

  constructor(source: EventSource<T, R>) {
    this.#source = source;
  }

  /** Nothing starts before the first of these. */
  next(): Promise<IteratorResult<T, R>> {
    if (this.#isLeft) return Promise.resolve(OVER as IteratorResult<T, R>);
    this.#running ??= this.#run();
    if (this.#taken < this.#events.length) return Promise.resolve({ value: this.#take(), done: false });
    return new Promise((resolve, reject) => {
      this.#readers.push({ resolve, reject });
      if (this.#ending) this.#end(this.#ending);
    });
  }

  async return(value?: R | PromiseLike<R>): Promise<IteratorResult<T, R>> {
    await this.#leave();
    return { value: (await value) as R, done: true };
  }

  async throw(error: unknown): Promise<IteratorResult<T, R>> {
    await this.#leave();
    throw error;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#leave();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #run(): Promise<void> {
    try {
      this.#ending = { value: await this.#source.start(this.#emit) };
    } catch (error) {
      this.#ending = { error };
    }
    if (this.#readers.length > 0) this.#end(this.#ending);
  }

  readonly #emit = (event: T): void => {
    if (this.#isLeft) return;
    const reader = this.#readers.shift();
    if (reader) reader.resolve({ value: event, done: false });
    else this.#events.push(event);
  };

  #take(): T {
    const event = this.#events[this.#taken++] as T;
    if (this.#taken === this.#events.length) {
      this.#events = [];
      this.#taken = 0;
    }
    return event;
  }

  /** The first reader gets the result or the failure; whoever asks again learns only that it is over. */
  #end(ending: Ending<R>): void {
    const first = this.#readers.shift();
    if ('error' in ending) first?.reject(ending.error);
    else first?.resolve({ value: ending.value, done: true });
    this.#isLeft = true;
    this.#dismissReaders();
  }

  async #leave(): Promise<void> {
    const isLeft = this.#isLeft;
    this.#isLeft = true;
    this.#dismissReaders();
    if (isLeft || !this.#running) return;
    if (!this.#ending) this.#source.leave();
    await this.#running;
  }

  #dismissReaders(): void {
    for (const reader of this.#readers.splice(0)) reader.resolve(OVER as IteratorResult<T, R>);
  }
}

const OVER = { value: undefined, done: true } as const;
