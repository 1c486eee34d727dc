/** How the parts of a pattern are compared with what they stand for. */
export interface WildcardUse<P, T> {
  /** Whether a part stands for any number of items, also none. */
  readonly isAny: (part: P) => boolean;
  readonly fits: (part: P, item: T) => boolean;
}

/**
 * Whether all items fit a pattern, in its order. Only the last wildcard is ever tried again, which is enough and keeps
 * the worst case at the product of both lengths.
 */
export function fitsWildcards<P, T>(
  pattern: readonly P[],
  items: readonly T[],
  { isAny, fits }: WildcardUse<P, T>,
): boolean {
  let at = 0;
  let position = 0;
  let lastAny = -1;
  let resumeAt = 0;
  while (position < items.length) {
    const part = pattern[at] as P;
    if (at < pattern.length && isAny(part)) {
      lastAny = at++;
      resumeAt = position;
    } else if (at < pattern.length && fits(part, items[position] as T)) {
      at++;
      position++;
    } else if (lastAny >= 0) {
      at = lastAny + 1;
      position = ++resumeAt;
    } else {
      return false;
    }
  }
  return endsAt(pattern, at, isAny);
}

/** Whether nothing is left that would need an item. */
function endsAt<P>(pattern: readonly P[], at: number, isAny: (part: P) => boolean): boolean {
  for (let rest = at; rest < pattern.length; rest++) if (!isAny(pattern[rest] as P)) return false;
  return true;
}
