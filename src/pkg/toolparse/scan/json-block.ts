import type { ShapedCall, ShapeRules } from '../formats/call-shapes.js';
import type { Json } from '../types.js';
import type { Note } from './frame.js';

/** What a frame of JSON must know of its format. Offsets are absolute. */
export interface JsonSpec {
  readonly format: string;
  readonly start: number;
  readonly valueAt: number;
  readonly close?: string | undefined;
  /** Tokens that may follow the last value and belong to the block. */
  readonly after?: readonly string[] | undefined;
  /** The closing mark, or the end of the response, must follow the value. */
  readonly closeRequired: boolean;
  /** An opening mark that ends a broken block before it; empty for none. */
  readonly restart: string;
  readonly declaredOnly: boolean;
  readonly tentative: boolean;
  readonly isDocument: boolean;
  /** Whether no words stand before it since the response began, or since the last call. */
  readonly isApart: boolean;
  readonly rules: ShapeRules;
  interpret(value: Json): Interpretation | undefined;
}

/** The calls that a parsed value stands for. */
export interface Interpretation {
  readonly format: string;
  readonly calls: readonly ShapedCall[];
  /** Whether a string in place of arguments is how this format writes them. */
  readonly encoded: boolean;
  readonly declaredOnly?: boolean;
  readonly text?: string;
  /** Whether the provider says that the last call was cut off. */
  readonly cut?: boolean;
  /** Whether the provider took the reply back. */
  readonly refused?: boolean | undefined;
  readonly note?: Note;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** What the frame found out on its way. */
export interface JsonBlock {
  readonly spec: JsonSpec;
  readonly values: readonly Span[];
  readonly parsed: Json | undefined;
  /**
   * `loose`: other text follows the value; `ragged`: another member does, as if the value had not ended; `end`: nothing
   * does; `cut`: the text ended inside a value.
   */
  readonly ending: 'closed' | 'loose' | 'ragged' | 'end' | 'cut' | 'broken';
  readonly end: number;
  readonly unfinishedFrom: number;
  /** Where to scan on when it was no JSON after all. */
  readonly resume: number;
  /** Where it broke, and where the last element before that ended; -1 for none. */
  readonly brokenAt: number;
  readonly elementEnd: number;
  /** Whether brackets that close nothing stand before the closing mark. */
  readonly hasSurplus: boolean;
  /** Where the closing mark of a broken block begins; -1 without one. */
  readonly stop: number;
}
