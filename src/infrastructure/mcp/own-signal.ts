/**
 * Does work with a signal of its own that follows another: the SDK never takes its listeners off a signal, so one that
 * lives as long as a run would gather one for every request.
 */
export async function withOwnSignal<T>(
  signal: AbortSignal,
  work: (own: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const own = new AbortController();
  const follow = (): void => own.abort(signal.reason);
  signal.addEventListener('abort', follow, { once: true });
  try {
    return await work(own.signal);
  } finally {
    signal.removeEventListener('abort', follow);
  }
}

/** Waits for what others wait for too, and only as long as this signal lets us. */
export function whileWanted<T>(shared: Promise<T>, signal: AbortSignal): Promise<T> {
  return withOwnSignal(signal, (own) => {
    const unwanted = new Promise<never>((_, reject) => {
      own.addEventListener('abort', () => reject(own.reason), { once: true });
    });
    return Promise.race([shared, unwanted]);
  });
}
