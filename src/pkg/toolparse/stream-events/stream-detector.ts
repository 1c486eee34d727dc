import type { WireFormat } from '../formats/wire-format.js';
import { JsonWalker } from '../json/json-walker.js';
import { mendJson } from '../json/mend-json.js';
import { isObject, tryParse } from '../json/own.js';
import type { Block } from '../scan/collector.js';
import type { Json, JsonObject } from '../types.js';
import { errorMessage } from './error-event.js';
import type { WireEvent } from './event-reader.js';
import type { StreamPart } from './event-source.js';
import { LineSplitter } from './line-splitter.js';
import { SseSource } from './sse-source.js';

/** Unknown events before one that is known; a stream that has more of them is none of ours. */
const MAX_UNKNOWN = 32;
const SSE_FIELDS = ['data:', 'event:', 'id:', 'retry:', ':'];

/** `wait`: more text is needed to tell. */
export type Verdict = 'wait' | 'text' | { readonly format: WireFormat; readonly kind: 'sse' | 'json' };

interface StreamError extends Block {
  readonly message: string;
}

/** Tells whether text that arrives in pieces is an event stream, by its first event that a provider is known to send. */
export interface StreamDetector {
  push(chunk: string, final: boolean): Verdict;
  /** The error that an event told of before it was known whose it is. */
  readonly error?: StreamError | undefined;
}

/** The detector for text that begins like this, at `offset`; `text` when nothing of the kind begins like it. */
export function detectorFor(
  beginning: string,
  offset: number,
  formats: readonly WireFormat[],
): StreamDetector | 'wait' | 'text' {
  if (/^\{|^\[\s*\{/.test(beginning)) return new JsonDetector(formats);
  if (/^\[\s*$/.test(beginning)) return 'wait';
  if (SSE_FIELDS.some((field) => beginning.startsWith(field))) return new SseDetector(formats, offset);
  return SSE_FIELDS.some((field) => field.startsWith(beginning)) ? 'wait' : 'text';
}

/** Reads events one by one until it knows one; a line that cannot stand in a stream ends it. */
class SseDetector implements StreamDetector {
  readonly #formats: readonly WireFormat[];
  readonly #lines: LineSplitter;
  readonly #source = new SseSource();
  #unknown = 0;
  error: StreamError | undefined;

  constructor(formats: readonly WireFormat[], offset: number) {
    this.#formats = formats;
    this.#lines = new LineSplitter(offset);
  }

  push(chunk: string, final: boolean): Verdict {
    const lines = [...this.#lines.push(chunk), ...(final ? this.#lines.end() : [])];
    for (const line of lines) {
      const verdict = this.#judge(this.#source.push(line));
      if (verdict !== 'wait') return verdict;
    }
    if (!final) return 'wait';
    const verdict = this.#judge(this.#source.end());
    return verdict === 'wait' ? 'text' : verdict;
  }

  #judge(parts: readonly StreamPart[]): Verdict {
    for (const part of parts) {
      if (part.kind !== 'event') return 'text';
      const format = knownFormat(part.event.value, this.#formats);
      if (format) return { format, kind: 'sse' };
      this.#notice(part.event);
      this.#unknown += 1;
    }
    return this.#unknown > MAX_UNKNOWN ? 'text' : 'wait';
  }

  #notice({ value, start, end }: WireEvent): void {
    const message = errorMessage(value);
    if (message !== undefined) this.error ??= { message, start, end };
  }
}

/** In a stream of events, each of them may be a whole body as well. */
function knownFormat(value: JsonObject, formats: readonly WireFormat[]): WireFormat | undefined {
  return (
    formats.find((format) => format.events.isEvent(value)) ?? formats.find((format) => format.read(value))
  );
}

/** Reads the first value of a sequence or of an array. */
class JsonDetector implements StreamDetector {
  readonly #formats: readonly WireFormat[];
  readonly #walker = new JsonWalker();
  #text = '';
  #length = 0;

  constructor(formats: readonly WireFormat[]) {
    this.#formats = formats;
  }

  push(chunk: string, final: boolean): Verdict {
    const from = this.#text === '' ? chunk.indexOf('{') : 0;
    const piece = chunk.slice(from);
    this.#length = this.#text.length + this.#walker.walk(piece, 0, 0);
    this.#text += piece;
    if (this.#walker.status === 'more') return final ? 'text' : 'wait';
    const value = this.#value();
    const format = isObject(value) ? this.#formats.find(({ events }) => events.isEvent(value)) : undefined;
    return format ? { format, kind: 'json' } : 'text';
  }

  #value(): Json | undefined {
    if (this.#walker.status === 'done') return tryParse(this.#text.slice(0, this.#length));
    // A first event that lost its end is still the first line of a stream.
    const end = this.#text.slice(0, this.#length).indexOf('\n');
    return end < 0 ? undefined : mendJson(this.#text.slice(0, end))?.value;
  }
}
