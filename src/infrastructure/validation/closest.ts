import { closest } from '../../domain/closest.js';

/** The known name that a wrong one was probably meant to be, or nothing if none is near. */
export function closestTo(name: string, known: readonly string[]): string | undefined {
  const wanted = name.toLowerCase().slice(0, 64);
  const near = closest(wanted, known);
  if (near !== undefined) return near;
  return known.find((candidate) => isAbbreviation(wanted, candidate.toLowerCase()));
}

/** `cmd` for `command`: the same first letter, the others in order. */
function isAbbreviation(short: string, long: string): boolean {
  if (short.length < 2 || short[0] !== long[0]) return false;
  let at = 0;
  for (const letter of long) if (letter === short[at]) at++;
  return at === short.length;
}
