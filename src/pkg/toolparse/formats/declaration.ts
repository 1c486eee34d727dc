import type { Json, JsonObject } from '../types.js';

/**
 * How a text format is written: plain data, so that it can stand in a workflow file as well as in code.
 *
 * Marks may hold slots: `{name}` the tool, `{id}` the call's id, `{key}` a parameter's name, `{word}` an optional word
 * (a fence's language), `{ns}` an optional XML prefix such as `x:`. A blank stands for any white space or none.
 */
export interface FormatDeclaration {
  readonly id: string;
  readonly title?: string | undefined;
  /** Models known to write it. */
  readonly models?: readonly string[] | undefined;
  /** What opens a call; the first that fits is taken, so put the longer ones first. */
  readonly open: string | readonly string[];
  /** What closes a call. Without one, a JSON body ends where its value ends. */
  readonly close?: string | undefined;
  /** An optional pair of tags around several calls. */
  readonly wrapper?: { readonly open: string; readonly close: string } | undefined;
  readonly body: JsonBody | TagBody;
  /** Set for text that is often no call (bare JSON, fences): it counts only when it names a declared tool. */
  readonly declaredOnly?: boolean | undefined;
  /** How a result is handed back. */
  readonly result?: ResultDeclaration | undefined;
  /** A call in this format: documentation, and the test of the declaration. */
  readonly example?: FormatExample | undefined;
}

/** One JSON value: the arguments where the opening mark has named the tool, else an object or array that names it. */
export interface JsonBody {
  readonly kind: 'json';
  /** Keys for the tool's name and for its arguments; the usual ones are understood as well. */
  readonly name?: string | undefined;
  readonly arguments?: string | undefined;
}

/** One tag a parameter. Values are raw text, never unescaped; the tool's schema gives them a type. */
export interface TagBody {
  readonly kind: 'tags';
  readonly parameter: { readonly open: string; readonly close: string };
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

/** What a wire body holds, before names and arguments are looked at. */
export interface WireReading {
  readonly calls: readonly WireCall[];
  readonly text: string;
  /** Whether the provider says that the reply was cut off. */
  readonly cut: boolean;
  /** Set for one event of a stream, which says nothing by itself. */
  readonly isStreamEvent?: boolean;
}

export interface WireCall {
  readonly name: string;
  readonly id?: string | undefined;
  /** A string is JSON text, as OpenAI sends it. */
  readonly arguments: Json | undefined;
}

/** A provider's own JSON. `read` answers undefined for a body of another provider. */
export interface WireFormat {
  readonly id: string;
  readonly title: string;
  readonly models: readonly string[];
  read(body: JsonObject): WireReading | undefined;
}
