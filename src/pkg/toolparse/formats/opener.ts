import type { Frame } from '../scan/frame.js';
import type { Filled, Template } from '../scan/template.js';
import type { TextView } from '../scan/text-view.js';
import type { ToolSpec } from '../types.js';

/** `partial`: it may yet open here, when more text is there. */
export type Opening = Frame | 'partial' | undefined;

/** What a place in the text is like. */
export interface Place {
  /** Inside a code block, where only declared tools are called. */
  readonly inFence: boolean;
  readonly tools: ReadonlyMap<string, ToolSpec>;
  /** Whether only blanks stand between the start of the line and this place. */
  startsLine(text: string, index: number): boolean;
  /** Whether only blanks stand between this place and the response's beginning, or the last call. */
  isApart(view: TextView, index: number): boolean;
  /** What stands before this place on its line, as far back as is remembered. */
  lineBefore(text: string, index: number): string;
}

/** What can open a frame at a place in the text. */
export interface Opener {
  /** Regular expressions for the text that it begins with. */
  readonly patterns: readonly string[];
  /** One or two characters that it begins with, for each way to begin; none for what opens by its place alone. */
  readonly heads?: readonly string[];
  /** Set when a single character is all that it begins with: most such places are none of its own. */
  readonly isLoose?: boolean;
  /** `index` is a place in the view. */
  open(view: TextView, index: number, place: Place): Opening;
}

/** The first of the marks that opens here. One that may still come holds back those behind it. */
export function openFirst(
  marks: readonly Template[],
  { view, index }: { readonly view: TextView; readonly index: number },
  then: (end: number, filled: Filled, mark: Template) => Opening,
): Opening {
  for (const mark of marks) {
    const match = mark.match(view.text, index);
    const opening = match.status === 'match' ? then(match.end, match.filled, mark) : undefined;
    if (opening !== undefined && (opening !== 'partial' || !view.final)) return opening;
    if (match.status === 'partial' && !view.final) return 'partial';
  }
  return undefined;
}

/** The tool and the call's id that a mark names. `functions.f:0` is both: an id that holds the name. */
export function namedBy(filled: Filled): { readonly name?: string; readonly id?: string } {
  const { name, id, call } = filled;
  if (call !== undefined) {
    return { name: call.replace(/^functions\./, '').replace(/:\d{1,9}$/, ''), id: call };
  }
  return {
    ...(name === undefined ? {} : { name: name.replace(/\\n$/, '') }),
    ...(id === undefined ? {} : { id }),
  };
}

/** What the marks begin with. */
export function headsOf(marks: readonly Template[]): readonly string[] {
  return [...new Set(marks.map((mark) => mark.head.slice(0, 2)))];
}
