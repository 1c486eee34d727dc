import type { WireEvent } from './event-reader.js';
import type { Line } from './line-splitter.js';

/**
 * What a piece of an event stream is. `done`: the provider's own word for the end. `unreadable`: it should be an event
 * and is no JSON. `foreign`: it cannot stand in such a stream at all.
 */
export type StreamPart =
  | { readonly kind: 'event'; readonly event: WireEvent }
  | { readonly kind: 'done' | 'unreadable' | 'foreign'; readonly start: number; readonly end: number };

/** Makes events out of lines. */
export interface EventSource {
  push(line: Line): readonly StreamPart[];
  /** What is left when the response ends. */
  end(): readonly StreamPart[];
}
