import type { Json } from '../types.js';

/** A call as its format reads it, before the declared tools have a say. */
export interface Draft {
  readonly name: string;
  readonly id?: string | undefined;
  readonly arguments: DraftArguments;
  readonly complete: boolean;
  /** What was mended, in words. */
  readonly fixes: readonly string[];
  /** Whether the closing mark was missing. */
  readonly unclosed?: boolean;
  /** Whether its JSON names a member twice. */
  readonly repeats?: boolean;
}

/**
 * `json`: a value that stood where an object belongs; `encoded`: a string in it is JSON text as a matter of course;
 * `parameters`: raw text for the schema to type; `unreadable`: text that no mending could save.
 */
type DraftArguments =
  | { readonly kind: 'json' | 'encoded'; readonly value: Json | undefined }
  | { readonly kind: 'parameters'; readonly list: readonly RawParameter[] }
  | { readonly kind: 'unreadable'; readonly text: string };

export interface RawParameter {
  readonly key: string;
  readonly text: string;
}
