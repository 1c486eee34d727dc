import type { ProblemCode } from '../types.js';
import type { Draft } from './draft.js';
import type { TextView } from './text-view.js';

/** How far a frame has come: done with its end, or everything before `at` consumed and more wanted. Offsets are absolute. */
export interface Advance {
  readonly done: boolean;
  readonly at: number;
  /** Set when more than blanks behind `at` was looked at, and is given back. */
  readonly isLoose?: boolean;
}

/** What a frame turned out to be. */
export type Reading = CallReading | TextReading;

export interface CallReading {
  readonly kind: 'calls';
  readonly format: string;
  readonly drafts: readonly Draft[];
  /** Where the block ends; what lies beyond is scanned again. */
  readonly end: number;
  /** What a wire body says beside its calls. */
  readonly text?: string;
  /** Whether the provider took its reply back: none of its calls may run. */
  readonly refused?: boolean | undefined;
  /** Set when the reading is a guess that only a declared tool's name makes good. */
  readonly needsDeclared?: boolean;
}

/** No call: the text up to `resume` is text, and scanning goes on from there. */
interface TextReading {
  readonly kind: 'text';
  readonly resume: number;
  readonly note?: Note;
}

/** A problem of the block as a whole. */
export interface Note {
  readonly code: ProblemCode;
  readonly message: string;
}

/**
 * A stretch of text that opened like a call. `advance` sees each piece once and must find the same end however the text
 * was cut; `read` then gets the whole stretch, once.
 */
export interface Frame {
  readonly format: string;
  readonly start: number;
  readonly declaredOnly: boolean;
  /** Whether what opened it is too common to announce (a brace, a fence). */
  readonly tentative: boolean;
  advance(view: TextView): Advance;
  /** `text` runs from `start` to at least the end that `advance` gave. */
  read(text: string): Reading;
}

/** Text that is passed on unread up to and with one of `until`, or to the end of the response. */
export interface Passage {
  readonly start: number;
  readonly until: readonly string[];
  /** What to say when the response ends inside it. */
  readonly note: Note | undefined;
}
