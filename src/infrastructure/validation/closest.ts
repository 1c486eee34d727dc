/** The known name that a wrong one was probably meant to be, or nothing if none is near. */
export function closestTo(name: string, known: readonly string[]): string | undefined {
  const wanted = name.toLowerCase().slice(0, 64);
  const ranked = known
    .map((candidate) => ({ candidate, distance: distance(wanted, candidate.toLowerCase()) }))
    .sort((left, right) => left.distance - right.distance);
  const [best] = ranked;
  if (best && best.distance <= Math.max(1, Math.floor(wanted.length / 3))) return best.candidate;
  return known.find((candidate) => isAbbreviation(wanted, candidate.toLowerCase()));
}

/** `cmd` for `command`: the same first letter, the others in order. */
function isAbbreviation(short: string, long: string): boolean {
  if (short.length < 2 || short[0] !== long[0]) return false;
  let at = 0;
  for (const letter of long) if (letter === short[at]) at++;
  return at === short.length;
}

function distance(left: string, right: string): number {
  let row = [...Array(right.length + 1).keys()];
  for (let i = 0; i < left.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < right.length; j++) {
      const change = (row[j] ?? 0) + (left[i] === right[j] ? 0 : 1);
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, change));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
