/** How a batch runs: at most so many at once, and some of them with nothing beside them. */
export interface BatchLimits<T> {
  readonly maxParallel: number;
  readonly isExclusive: (item: T) => boolean;
}

/** Runs `work` over the items, started in their order, and gives the answers in their order. `work` must not throw. */
export async function runBatch<T, R>(
  items: readonly T[],
  limits: BatchLimits<T>,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const [only] = items;
  if (only !== undefined && items.length === 1) return [await work(only)];
  const answers = new Array<R>(items.length);
  const running = new Set<Promise<void>>();
  for (const [index, item] of items.entries()) {
    const alone = limits.isExclusive(item);
    // An exclusive item waits for all before it, and all after it wait for it.
    const roomFor = alone ? 1 : Math.max(1, limits.maxParallel);
    while (running.size >= roomFor) await (alone ? Promise.all(running) : Promise.race(running));
    const task: Promise<void> = work(item).then((answer) => {
      answers[index] = answer;
      running.delete(task);
    });
    running.add(task);
    if (alone) await task;
  }
  await Promise.all(running);
  return answers;
}
