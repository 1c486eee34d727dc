const LONGEST_WORD = 64;

/** The candidate that a mistyped word was probably meant to be: at most a third of it differs. */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > LONGEST_WORD) return undefined;
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance >= bestDistance) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}

/** For an error about a name that there is not: the one that was probably meant, or else all there are. */
export function suggestName(name: string, known: readonly string[]): string {
  const meant = closest(name, known);
  if (meant !== undefined) return `did you mean "${meant}"?`;
  return known.length === 0 ? 'there is none' : `there are: ${known.join(', ')}`;
}

/** How many letters to add, drop, change or swap with their neighbour. */
function editDistance(left: string, right: string): number {
  let twoBack: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = nextRow({ left, right, row, previous, twoBack });
    twoBack = previous;
    previous = current;
  }
  return previous[right.length] ?? left.length;
}

interface Rows {
  readonly left: string;
  readonly right: string;
  readonly row: number;
  readonly previous: readonly number[];
  readonly twoBack: readonly number[];
}

function nextRow({ left, right, row, previous, twoBack }: Rows): readonly number[] {
  const current = [row];
  for (let column = 1; column <= right.length; column += 1) {
    const cost = left[row - 1] === right[column - 1] ? 0 : 1;
    const changed = (previous[column - 1] ?? 0) + cost;
    const best = Math.min(changed, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
    const isSwap = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
    current.push(isSwap ? Math.min(best, (twoBack[column - 2] ?? 0) + 1) : best);
  }
  return current;
}
