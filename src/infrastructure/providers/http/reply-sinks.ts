import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.js';
import { parseJson } from '../../../domain/parse-json.js';
import { excerpt, failureOfText } from './failed-response.js';
import { badReply, type ProviderError } from './provider-error.js';
import { Lines, type Splitter, type WireEvent } from './split-events.js';

/** Takes one event; true once enough is read. */
export type TakeEvent = (event: JsonObject) => boolean;

/** What has come: a reply all at once, or the end of its events, with the `[DONE]` of some servers or without. */
export type Came = { readonly body: JsonObject } | { readonly isMarked: boolean };

/** Makes something of text as it comes. */
export interface ReplySink {
  /** Tells what has come once that is enough. */
  push(piece: string): Came | undefined;
  /** There is no more. */
  end(): Came;
}

/** A reply that is one JSON text: an object, or the list of its events that Gemini writes without `alt=sse`. */
export class WholeSink implements ReplySink {
  readonly #pieces: string[] = [];

  constructor(private readonly take: TakeEvent) {}

  push(piece: string): undefined {
    this.#pieces.push(piece);
  }

  end(): Came {
    const text = this.#pieces.join('');
    const value = parseJson(text);
    if (!Array.isArray(value)) return { body: objectOf(value, text) };
    (value as readonly Json[]).some((event) => this.take(objectOf(event, text)));
    return { isMarked: false };
  }
}

/** A reply that comes in events. */
export class EventSink implements ReplySink {
  #isStarted = false;
  #isMarked = false;

  constructor(
    private readonly events: Splitter,
    private readonly take: TakeEvent,
  ) {}

  push(piece: string): Came | undefined {
    const isOver = this.events.split(piece).some(this.#isLast);
    return isOver ? { isMarked: this.#isMarked } : undefined;
  }

  end(): Came {
    this.push('\n\n');
    const { strangeLine } = this.events;
    if (!this.#isStarted && strangeLine !== undefined) throw notJson(strangeLine);
    return { isMarked: this.#isMarked };
  }

  readonly #isLast = ({ data, isError }: WireEvent): boolean => {
    if (isError) throw failureOfText(data);
    this.#isStarted = true;
    this.#isMarked = data === '[DONE]';
    return this.#isMarked || this.take(objectOf(parseJson(data), data));
  };
}

/** A reply that comes in lines, unless its first line shows that it is one text over many. */
export class LineSink implements ReplySink {
  readonly #start: string[] = [];
  #sink: ReplySink | undefined;

  constructor(private readonly take: TakeEvent) {}

  push(piece: string): Came | undefined {
    if (this.#sink) return this.#sink.push(piece);
    this.#start.push(piece);
    return piece.includes('\n') ? this.#begin() : undefined;
  }

  end(): Came {
    if (!this.#sink) this.#begin();
    return (this.#sink ?? new WholeSink(this.take)).end();
  }

  #begin(): Came | undefined {
    const text = this.#start.splice(0).join('');
    const [line = ''] = text.split('\n', 1);
    const isLined = line !== text && isJsonObject(parseJson(line));
    this.#sink = isLined ? new EventSink(new Lines(), this.take) : new WholeSink(this.take);
    return this.#sink.push(text);
  }
}

function objectOf(value: Json | undefined, text: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw value === undefined ? notJson(text) : badReply(`the reply is not a JSON object: ${excerpt(text)}`);
}

/** A page where a reply should be: the address is that of a web site, or somebody stands in between. */
function notJson(text: string): ProviderError {
  const advice = text.trimStart().startsWith('<') ? '; is base_url right?' : '';
  return badReply(`the reply is not JSON: ${excerpt(text)}${advice}`);
}
