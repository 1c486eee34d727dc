import type { JsonObject } from '../types.js';

/**
 * How a text format is written: plain data, so that it can stand in a workflow file as well as in code.
 *
 * Marks may hold slots: `{name}` the tool, `{id}` the call's id, `{call}` both in one (`functions.f:0`), `{key}` a
 * parameter's name, `{type}` its type, `{word}` an optional word (a fence's language), `{any}` whatever else stands on
 * the line, `{ns}` an optional XML prefix such as `x:`. A blank stands for any white space or none.
 */
export interface FormatDeclaration {
  readonly id: string;
  readonly title?: string | undefined;
  /** Models known to write it. */
  readonly models?: readonly string[] | undefined;
  /** The format that is written in just the same way, and that a call is reported as unless this one is named. */
  readonly sameAs?: string | undefined;
  /** Formats that the same models write at times: they are read too when this one is named. */
  readonly also?: readonly string[] | undefined;
  /** What opens a call; the first that fits is taken, so put the longer ones first. */
  readonly open: Marks;
  /** What opens a call at the very beginning, or behind another call, where the prompt has written what comes before. */
  readonly start?: Marks | undefined;
  /** What closes a call; as many as there are opening marks belong to them one by one. Without any, JSON ends itself. */
  readonly close?: Marks | undefined;
  /** Tokens that may follow a call and are nobody's text, such as `</s>`. */
  readonly after?: readonly string[] | undefined;
  /** An optional pair of tags around several calls. */
  readonly wrapper?: { readonly open: Marks; readonly close: Marks } | undefined;
  readonly body: JsonBody | TagBody | CodeBody | QuotedBody | YamlBody | ElementBody;
  /** How a call is opened and closed when it is written, where the marks above do not say it: their blanks are optional. */
  readonly written?: { readonly open: string; readonly close: string } | undefined;
  /** Set for text that is often no call (bare JSON, fences): it counts only when it names a declared tool. */
  readonly declaredOnly?: boolean | undefined;
  /** How a result is handed back. */
  readonly result?: ResultDeclaration | undefined;
  /** A call in this format: documentation, and the test of the declaration. */
  readonly example?: FormatExample | undefined;
}

/** One mark, or several of which any will do; the first is the one that is written. */
export type Marks = string | readonly string[];

/** One JSON value: the arguments where the opening mark has named the tool, else an object or array that names it. */
export interface JsonBody {
  readonly kind: 'json';
  /** Keys for the tool's name and for its arguments; the usual ones are understood as well. */
  readonly name?: string | undefined;
  readonly arguments?: string | undefined;
  /** Set where even a single call is written as an array. */
  readonly array?: boolean | undefined;
  /** Set where the name is the only key: `{"f": {"a": 1}}`. */
  readonly keyed?: boolean | undefined;
  /** Set where a mark that names the tool may be followed by plain text: the value of its only parameter. */
  readonly plain?: boolean | undefined;
}

/** One tag a parameter. Values are raw text; the tool's schema gives them a type. */
export interface TagBody {
  readonly kind: 'tags';
  readonly parameter: TagPair | readonly TagPair[];
  /** Marks of parameters that have no value, or no name: they are skipped. */
  readonly skip?: readonly string[] | undefined;
  /** `line`: a line break behind the opening tag and one before the closing tag belong to the tags. */
  readonly trim?: 'line' | undefined;
  /** What stands before each tag inside a value that is itself made of tags. */
  readonly nested?: string | undefined;
}

/** Without a closing mark, the value ends where the next parameter or the call's end begins. */
export interface TagPair {
  readonly open: string;
  readonly close: string;
}

/** Calls as a program writes them: `f(a=1, b="x")`, alone, in a list or one a line. */
export interface CodeBody {
  readonly kind: 'code';
}

/** An object without quotes around its keys, whose strings stand between two `quote` marks. */
export interface QuotedBody {
  readonly kind: 'quoted';
  readonly quote: string;
}

/** A YAML mapping: the arguments where the opening mark has named the tool, else one that names it. */
export interface YamlBody {
  readonly kind: 'yaml';
}

/** The tool's name is the tag; inside are a tag for each parameter, YAML, or the text of the only parameter. */
export interface ElementBody {
  readonly kind: 'element';
  readonly content: 'tags' | 'yaml';
}

/** `{name}` and `{id}` in the marks stand for the call's. */
export interface ResultDeclaration {
  readonly open: string;
  readonly close: string;
  /** `json`: an object with `name`, `id` and `content`; `text`: the output as it is. */
  readonly body: 'json' | 'text';
}

export interface FormatExample {
  readonly text: string;
  readonly name: string;
  readonly arguments: JsonObject;
}

/** Marks as a list. */
export function listMarks(marks: Marks | undefined): readonly string[] {
  if (marks === undefined) return [];
  return typeof marks === 'string' ? [marks] : marks;
}
