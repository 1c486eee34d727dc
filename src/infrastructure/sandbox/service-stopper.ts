const TERM_GRACE_MS = 500;

export interface Stoppable {
  readonly ended: Promise<unknown>;
  readonly terminate: () => void;
  readonly kill: () => void;
  readonly signal: AbortSignal;
}

/** A way to end a service: asked first, then made to. The signal does the same. */
export function stopperOf({ ended, terminate, kill, signal }: Stoppable): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => {
    if (timer) return;
    terminate();
    timer = setTimeout(kill, TERM_GRACE_MS);
  };
  signal.addEventListener('abort', begin, { once: true });
  void ended.then(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', begin);
  });
  return async () => {
    begin();
    await ended;
  };
}
