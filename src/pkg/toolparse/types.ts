import type { FormatDeclaration } from './formats/declaration.js';

/** Anything JSON can hold. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

/** A JSON object; the usual form of a call's arguments. */
export type JsonObject = { readonly [key: string]: Json };

/** A tool as the caller declares it: its name makes bare JSON a call, its schema gives text values a type. */
export interface ToolSpec {
  readonly name: string;
  readonly description?: string | undefined;
  readonly parameters?: JsonObject | undefined;
}

/** A format by id, by declaration, or `auto` for all built-in ones. */
export type FormatChoice = string | FormatDeclaration;

/**
 * What happens inside `<think>…</think>`. `ignore`: no calls are read there; `use`: they are;
 * `prefilled`: as `ignore`, and the response begins inside the block because the prompt opened it.
 */
export type ReasoningMode = 'ignore' | 'use' | 'prefilled';

export interface ParseOptions {
  readonly tools?: readonly ToolSpec[] | undefined;
  readonly format?: FormatChoice | readonly FormatChoice[] | undefined;
  readonly reasoning?: ReasoningMode | undefined;
  /** `keep`: a call of an undeclared tool is a call, with a problem beside it; `drop`: only the problem stays. */
  readonly unknownTools?: 'keep' | 'drop' | undefined;
  /**
   * `drop-forbidden`: what the schema forbids is left out of a call that was written as text, and a problem names it;
   * `drop`: so is what the schema has no place for; `keep`: all stays, for a validator to refuse. The default is `drop`
   * in formats whose own readers do so, and else `drop-forbidden`. Whoever drops runs a call that the model did not ask
   * for in this way.
   */
  readonly undeclaredArguments?: 'keep' | 'drop' | 'drop-forbidden' | undefined;
  /**
   * What becomes of a call, written as text, that no tool should get: its arguments reach into a prototype, are no
   * object, or leave open which one is meant. `drop` (default): it stays text, and a problem says why; `keep`: it is a
   * call that is not `complete`, for a caller who answers every call.
   */
  readonly unusableCalls?: 'drop' | 'keep' | undefined;
}

/** A call as it was read. Nothing is validated: `arguments` is an object unless the model wrote something else. */
export interface ParsedCall {
  /** The model's own id, or `call_1`, `call_2`… by position. */
  readonly id: string;
  readonly name: string;
  readonly arguments: Json;
  readonly format: string;
  /** Offsets (UTF-16) of the block that holds the call; a body given as an object has none and says 0, 0. */
  readonly start: number;
  readonly end: number;
  /** Whether something had to be mended; a problem says what. */
  readonly repaired: boolean;
  /** False when the text was cut off inside the call, or leaves open what it means: do not run it. */
  readonly complete: boolean;
}

export type ProblemCode =
  | 'json-repaired'
  | 'arguments-stringified'
  | 'arguments-coerced'
  | 'arguments-unreadable'
  | 'arguments-dropped'
  | 'arguments-unusable'
  | 'duplicate-parameter'
  | 'entity-declared'
  | 'call-truncated'
  | 'call-unclosed'
  | 'call-unreadable'
  | 'call-echoed'
  | 'tool-unknown'
  | 'tool-renamed'
  | 'id-duplicate'
  | 'reasoning-unclosed'
  | 'reasoning-unopened'
  | 'stream-unsupported'
  | 'stream-truncated'
  | 'event-unreadable'
  | 'provider-error'
  | 'provider-refused'
  | 'choice-ignored'
  | 'body-unrecognised';

/** Something a reader of the result may want to know; never a reason to throw. */
export interface Problem {
  readonly code: ProblemCode;
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

export interface ParseResult {
  readonly calls: readonly ParsedCall[];
  /** The response without its calls, every other character in place. */
  readonly text: string;
  /** The format of the first call or of the wire body; `text` when the response holds neither. */
  readonly format: string;
  readonly problems: readonly Problem[];
}

/**
 * What a stream tells as it goes. The `text-delta`s are the result's `text`, short of what only `end` could settle. A
 * block is a stretch that opened like a call: its raw text comes as it arrives, and `block-end` lists its calls; with
 * none it was text after all, which then follows as `text-delta`. In a provider's event stream a block is one call, its
 * text is that of the arguments, and blocks may come interleaved: `block` says which one it is.
 */
export type StreamEvent =
  | { readonly type: 'text-delta'; readonly text: string }
  | {
      readonly type: 'block-start';
      readonly format: string;
      readonly start: number;
      readonly block?: number | undefined;
      readonly name?: string | undefined;
    }
  | { readonly type: 'block-delta'; readonly text: string; readonly block?: number | undefined }
  | {
      readonly type: 'block-end';
      readonly calls: readonly ParsedCall[];
      readonly block?: number | undefined;
    };
