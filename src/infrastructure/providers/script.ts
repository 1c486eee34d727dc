import type { Json } from '../../domain/json.js';
import type { Usage } from '../../domain/message.js';

/** A script as it was read: what an agent says, turn by turn, and what it must have been told before. */
export interface Script {
  /** Named in messages; absent for a script made in code. */
  readonly file?: string;
  readonly toolProtocol: 'native' | 'text';
  /** For all steps of a run, one after the other. */
  readonly replies: readonly ScriptedReply[];
  /** For the steps of these names, each from its own beginning. */
  readonly steps: ReadonlyMap<string, readonly ScriptedReply[]>;
}

export interface ScriptedReply {
  readonly expect?: Expectation;
  readonly text: string;
  readonly calls: readonly ScriptedCall[];
  readonly usage?: Usage;
  /** The turn fails with this message instead of a reply. */
  readonly error?: string;
  readonly delayMs: number;
}

export interface ScriptedCall {
  readonly id?: string;
  readonly name: string;
  /** Anything: a script may also play an agent that gets its arguments wrong. */
  readonly arguments: Json;
}

/** What the last message must be like for a reply to make sense. */
export interface Expectation {
  readonly contains: readonly string[];
  /** One for each result of the last reply's calls, in their order. */
  readonly toolResults?: readonly ExpectedResult[];
}

export interface ExpectedResult {
  readonly tool?: string;
  readonly contains: readonly string[];
  readonly isError?: boolean;
}
