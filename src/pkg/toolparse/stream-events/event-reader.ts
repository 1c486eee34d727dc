import type { JsonObject, ProblemCode } from '../types.js';
import type { OpenCall } from './open-call.js';

/** How a provider says that its reply ended. `refused`: it took the reply back, and none of its calls may run. */
export type Ending = 'whole' | 'cut' | 'refused';

/** What a provider sends as a stream, told by its events. */
export interface EventProtocol {
  /** Whether the stream of a provider can begin with this event; asked until one has been found that does. */
  isEvent(event: JsonObject): boolean;
  open(): EventReader;
  /** Whether a stream may end without an event that says so. */
  readonly isOpenEnded?: boolean | undefined;
}

/** Reads the events of one response, in their order. What it does not know it passes over. */
export interface EventReader {
  read(event: JsonObject, sink: EventSink): void;
  /** The stream is over, whether or not an event said so. */
  end?(): void;
}

/** What an event can mean. */
export interface EventSink {
  /** The model says this beside its calls. */
  text(text: string): void;
  /** A call begins. Its parts are told to what this returns. */
  open(opening: CallOpening): OpenCall;
  /** The reply has ended; a later word on it is not heard. */
  finish(ending: Ending): void;
  problem(code: ProblemCode, message: string): void;
}

export interface CallOpening {
  readonly name?: string | undefined;
  readonly id?: string | undefined;
  /** The format that the call is said to be in, where that is not the stream's own. */
  readonly format?: string | undefined;
  /** Whether the arguments are one text instead of JSON; they become `{ input: text }`. */
  readonly isRaw?: boolean | undefined;
}

/** An event as it was cut out of the response. Offsets are those of the response. */
export interface WireEvent {
  readonly value: JsonObject;
  /** The JSON that `value` was; empty for events that came as objects. */
  readonly source: string;
  readonly start: number;
  readonly end: number;
}
