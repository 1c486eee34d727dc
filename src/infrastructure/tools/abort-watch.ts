const watchers = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Tells when a signal is aborted. A step's one signal serves a thousand calls: one listener on it, and a set of
 * callbacks behind, costs a tenth of a listener for each.
 */
export function watchAbort(signal: AbortSignal, onAbort: () => void): () => void {
  const callbacks = watchers.get(signal) ?? beginWatching(signal);
  callbacks.add(onAbort);
  return () => callbacks.delete(onAbort);
}

function beginWatching(signal: AbortSignal): Set<() => void> {
  const callbacks = new Set<() => void>();
  watchers.set(signal, callbacks);
  signal.addEventListener(
    'abort',
    () => {
      for (const callback of [...callbacks]) callback();
    },
    { once: true },
  );
  return callbacks;
}
