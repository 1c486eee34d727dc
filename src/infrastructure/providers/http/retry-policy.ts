import { ProviderError } from './provider-error.js';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
/** Who asks for more patience than this gets none: a person should know. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/** How long to wait before the next try, or nothing if there should be none. `tries` counts those that failed. */
export function waitBeforeRetry(error: unknown, tries: number, random: () => number): number | undefined {
  if (!(error instanceof ProviderError) || !error.retry) return undefined;
  const { retryAfterMs = 0 } = error;
  // No time, or one that is over, says nothing: whoever fails at once again must not be asked at once again.
  if (retryAfterMs > 0) return retryAfterMs <= LONGEST_RETRY_AFTER_MS ? retryAfterMs : undefined;
  const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1));
  // Jitter: clients that failed together must not come back together.
  return wait * (0.75 + random() * 0.25);
}
