import type { JsonObject } from '../../../src/domain/json.js';
import type { Answer } from './fake-model-server.js';

/** What the model says in one turn, whatever its API. */
export interface WireTurn {
  readonly text?: string;
  readonly calls?: readonly {
    readonly id: string;
    readonly name: string;
    readonly arguments: JsonObject;
  }[];
}

/** A result as the model gets to read it. */
export interface WireResult {
  readonly output: string;
  readonly isError: boolean;
}

/** A provider's API as seen from its other end, so that one suite can speak to all of them. */
export interface ModelWire {
  /** The name a step uses. */
  readonly provider: string;
  readonly env: Readonly<Record<string, string>>;
  /** The options of a step, without `base_url`. */
  readonly options: JsonObject;
  /** The answer that says this, as a stream or whole. With signatures and thoughts, where the API has some. */
  answer(turn: WireTurn, stream: boolean): Answer;
  /** A stream that begins with this text, and stays open. */
  beginning(text: string): Answer;
  /** A stream that begins with this text, and breaks off. */
  broken(text: string): Answer;
  /** An error in the API's own words. */
  error(status: number, message: string): Answer;
  /** The results in the last message of a request. */
  results(body: JsonObject): readonly WireResult[];
  /** The names of the tools that a request lets the model call. */
  callable(body: JsonObject): readonly string[];
  /** The model's own messages in a request, in the form its replies had. */
  replayed(body: JsonObject): readonly unknown[];
  /** The model's own message for this turn, in that form. */
  spoken(turn: WireTurn): unknown;
}
