/** Node's timers hold no more milliseconds than this; a longer one would go off at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
