import type { EventProtocol } from '../stream-events/event-reader.js';
import type { Json, JsonObject } from '../types.js';
import type { FormatExample } from './declaration.js';

/** A provider's own JSON. */
export interface WireFormat {
  readonly id: string;
  readonly title: string;
  readonly models: readonly string[];
  /** A body with one call: documentation, and a test. */
  readonly example: FormatExample;
  /** The same as a stream of events. */
  readonly events: EventProtocol;
  /** Answers undefined for a body of another provider. */
  read(body: JsonObject): WireReading | undefined;
}

/** What a wire body holds, before names and arguments are looked at. */
export interface WireReading {
  readonly calls: readonly WireCall[];
  readonly text: string;
  /** Whether the provider says that the reply was cut off. */
  readonly cut: boolean;
  /** Whether the provider took the reply back: none of its calls may run. */
  readonly refused?: boolean | undefined;
}

export interface WireCall {
  readonly name: string;
  readonly id?: string | undefined;
  /** A string is JSON text, as OpenAI sends it. */
  readonly arguments: Json | undefined;
}
