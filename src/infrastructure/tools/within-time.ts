import { ToolgateError } from '../../domain/errors.js';
import { watchAbort } from './abort-watch.js';
import { cancelFailure } from './call-result.js';
import { longestTimer } from './running-call.js';

/** Waits for work that should be short, and no longer than its signal and its time allow. */
export function withinTime<T>(
  work: PromiseLike<T>,
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<T> {
  return new Promise((resolve, reject) => {
    const release = (): void => {
      clearTimeout(timer);
      unwatch();
    };
    const refuse = (error: unknown): void => {
      release();
      reject(error);
    };
    const unwatch = watchAbort(signal, () => refuse(cancelError(signal)));
    const timer = setTimeout(() => {
      refuse(new ToolgateError('EXECUTION.TOOL.TIMEOUT', 'planning the call took too long'));
    }, longestTimer(timeoutMs));
    work.then((value) => {
      release();
      resolve(value);
    }, refuse);
  });
}

/** What work that was cancelled ends with where there is no result to say it. */
export function cancelError(signal: AbortSignal): ToolgateError {
  const { code, message } = cancelFailure(signal);
  return new ToolgateError(code, message);
}
