import type { ProblemCode } from '../types.js';
import { repairNote } from './bound.js';
import type { Draft } from './draft.js';
import type { Note } from './frame.js';

const MENDING: ReadonlySet<ProblemCode> = new Set([
  'json-repaired',
  'arguments-stringified',
  'arguments-coerced',
  'arguments-dropped',
] as const);

/** What the reading of a call itself has to say; `name` is the tool that it turned out to be. */
export function draftNotes(draft: Draft, name: string, complete: boolean): readonly Note[] {
  const notes: Note[] = [];
  if (name !== draft.name)
    notes.push({ code: 'tool-renamed', message: `"${draft.name}" was read as "${name}".` });
  if (draft.fixes.length > 0) notes.push(repairNote(draft.fixes));
  if (draft.isAmbiguous) notes.push(ambiguous(name));
  else if (!complete)
    notes.push({ code: 'call-truncated', message: `The text ends inside the call of "${name}".` });
  else if (draft.unclosed)
    notes.push({ code: 'call-unclosed', message: 'The closing mark of the call is missing.' });
  return notes;
}

/** Whether a note means that something was mended. */
export function isMending({ code }: Note): boolean {
  return MENDING.has(code);
}

function ambiguous(name: string): Note {
  const message = `A call stands inside an argument of "${name}" that nothing closes; it may be quoted, or the next one.`;
  return { code: 'call-unclosed', message };
}

/** Says that a parameter is there twice. */
export function repeated(name: string): Note {
  const message = `The call of "${name}" gives a parameter twice; which one is meant is not known.`;
  return { code: 'duplicate-parameter', message };
}

/** Says that a parameter means something that only the response could tell. */
export function expandable(name: string): Note {
  const message = `The call of "${name}" uses an entity that the response declares; entities are not expanded.`;
  return { code: 'entity-declared', message };
}
