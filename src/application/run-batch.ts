/** How a batch runs: at most so many at once, and some of them with nothing beside them. */
export interface BatchLimits<T> {
  readonly maxParallel: number;
  readonly isExclusive: (item: T) => boolean;
}

/**
 * Runs `work` over the items, started in their order, and gives the answers in their order. If one throws, no more
 * are started, those under way are waited for, and the first error is thrown.
 */
export function runBatch<T, R>(
  items: readonly T[],
  limits: BatchLimits<T>,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  // Most batches are one call, and everything made for it is made for every call of a long run.
  const only = items.length === 1 ? items[0] : undefined;
  return only === undefined ? runMany(items, limits, work) : work(only).then((answer) => [answer]);
}

async function runMany<T, R>(
  items: readonly T[],
  limits: BatchLimits<T>,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const batch = new Batch<R>(items.length);
  for (const [index, item] of items.entries()) {
    const alone = limits.isExclusive(item);
    // An exclusive item waits for all before it, and all after it wait for it.
    await batch.room(alone ? 1 : Math.max(1, limits.maxParallel));
    if (batch.hasFailed) break;
    batch.start(index, work(item));
    if (alone) await batch.room(1);
  }
  return batch.finish();
}

class Batch<R> {
  readonly #answers: R[];
  #running = 0;
  #wake: (() => void) | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(length: number) {
    this.#answers = new Array<R>(length);
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  start(index: number, work: Promise<R>): void {
    this.#running += 1;
    work.then(
      (answer) => {
        this.#answers[index] = answer;
        this.#ended();
      },
      (error: unknown) => {
        this.#failure ??= { error };
        this.#ended();
      },
    );
  }

  /** Waits until fewer than `limit` are running. A race over all of them, again and again, would be quadratic. */
  async room(limit: number): Promise<void> {
    while (this.#running >= limit) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async finish(): Promise<R[]> {
    await this.room(1);
    if (this.#failure) throw this.#failure.error;
    return this.#answers;
  }

  #ended(): void {
    this.#running -= 1;
    this.#wake?.();
  }
}
