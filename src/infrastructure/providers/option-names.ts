import { closest } from '../../domain/closest.js';

/** Said by the runner, to every provider. */
const FROM_RUNNER = ['step', 'script', 'script_offset'];

/** What is wrong with an option's name, if anything: what is not known might be meant to forbid something. */
export function optionNameProblem(name: string, known: readonly string[], more = ''): string | undefined {
  return FROM_RUNNER.includes(name) ? undefined : nameProblem(name, known, more);
}

/** What is wrong with a name, if anything, and what was probably meant; `more` is said where nothing is close. */
export function nameProblem(name: string, known: readonly string[], more = ''): string | undefined {
  if (known.includes(name)) return undefined;
  const meant = closest(name, known);
  return meant === undefined
    ? `is not known (known: ${known.join(', ')}${more})`
    : `is not known; did you mean ${meant}?`;
}
