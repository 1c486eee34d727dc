import type { Json, JsonObject } from '../types.js';

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
  /** Whether a call stands inside an argument that nothing closes. */
  readonly isAmbiguous?: boolean | undefined;
  /** Whether a further member follows its JSON, which was then closed too early. */
  readonly goesOn?: boolean;
  /** Whether nothing marks it as a call and it has no arguments: anything with a name looks like this. */
  readonly isBare?: boolean;
  /** Whether its JSON names a member twice. */
  readonly repeats?: boolean;
}

/**
 * `json`: a value that stood where an object belongs; `encoded`: a string in it is JSON text as a matter of course;
 * `parameters`: raw text for the schema to type; `code`: the arguments of a call in a program; `element`: the inside of
 * a tag; `plain`: the text of the only parameter; `unreadable`: text that no mending could save.
 */
type DraftArguments =
  | JsonArguments
  | { readonly kind: 'parameters'; readonly list: readonly RawParameter[] }
  | {
      readonly kind: 'code';
      readonly positional: readonly Json[];
      readonly named: { readonly [key: string]: Json };
    }
  | ElementArguments
  | PlainArguments
  | { readonly kind: 'unreadable'; readonly text: string };

export interface ElementArguments {
  readonly kind: 'element';
  readonly content: 'tags' | 'yaml';
  readonly text: string;
  readonly attributes: string;
}

export interface JsonArguments {
  readonly kind: 'json' | 'encoded';
  readonly value: Json | undefined;
  /** What else stands beside the tool's name. */
  readonly beside?: JsonObject | undefined;
}

export interface PlainArguments {
  readonly kind: 'plain';
  readonly text: string;
  /** Whether there is no telling where the text ends. */
  readonly isOpen: boolean;
}

export interface RawParameter {
  readonly key: string;
  readonly text: string;
  /** The type that the tag itself names. */
  readonly type?: string | undefined;
  /** What stands before each tag inside a value that is itself made of tags. */
  readonly nested?: string | undefined;
}
