import type { Json } from '../types.js';
import type { Note } from './frame.js';

/** A draft's arguments as a JSON value, with what had to be done to get it. */
export interface Bound {
  readonly value: Json;
  readonly notes: readonly Note[];
  /** False when the text of the arguments ended too early. */
  readonly complete: boolean;
  /** Whether one of them is there twice, so that nobody knows which is meant. */
  readonly repeats?: boolean;
  /** Set when there is no telling what the arguments are: the call must not run. */
  readonly isUnclear?: boolean;
  /** Set when what only looked like a call holds nothing that could be arguments. */
  readonly isNoCall?: boolean;
}

/** Most calls need no mending. */
export const NO_NOTES: readonly Note[] = [];

/** Arguments of which there is no telling whether they are what was meant: the call must not run. */
export function unclear(value: Json, message: string): Bound {
  return { value, notes: [{ code: 'arguments-unreadable', message }], complete: true, isUnclear: true };
}

/** What the mending consisted of. */
export function repairNote(fixes: readonly string[]): Note {
  return { code: 'json-repaired', message: `The call was mended: ${fixes.join(', ')}.` };
}
