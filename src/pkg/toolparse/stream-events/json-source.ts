import { JsonWalker } from '../json/json-walker.js';
import { isObject, tryParse } from '../json/own.js';
import type { EventSource, StreamPart } from './event-source.js';
import type { Line } from './line-splitter.js';

/** What may stand between events: blanks, and the brackets and commas of an array of them. */
const BETWEEN = /[\s,[\]\ufeff]*/y;

/** A value that has begun. */
class OpenValue {
  readonly walker = new JsonWalker();
  readonly #pieces: string[] = [];

  constructor(readonly start: number) {}

  /** Takes the text of a line from `from` on, and returns where it ended in it. */
  take(text: string, from: number): number {
    const to = this.walker.walk(text, from, 0);
    const piece = text.slice(from, to);
    if (this.#pieces.length === 0) this.isCompact = piece.trim().length > 1;
    this.#pieces.push(piece);
    return to;
  }

  /** No JSON string runs over a line's end: what does was cut off, and the next line is a new event. */
  get needsMore(): boolean {
    return this.walker.status === 'more' && !this.walker.inString;
  }

  /** Whether its first line holds more than the brace: it is meant to stand on one line. */
  isCompact = false;

  get source(): string {
    return this.#pieces.join('\n');
  }
}

/** One JSON object after the other: a line each, over several lines, or as the elements of an array. */
export class JsonSource implements EventSource {
  #open: OpenValue | undefined;

  push(line: Line): readonly StreamPart[] {
    const value = this.#open?.isCompact === false ? undefined : tryParse(line.text);
    if (isObject(value)) {
      const event = { value, source: line.text, start: line.start, end: line.end };
      return [...this.end(), { kind: 'event', event }];
    }
    const parts: StreamPart[] = [];
    let from = 0;
    while (from < line.text.length) from = this.#readValue(line, from, parts);
    return parts;
  }

  /** What is open now will not be finished any more. */
  end(): readonly StreamPart[] {
    const open = this.#open;
    this.#open = undefined;
    return open ? [{ kind: 'unreadable', start: open.start, end: open.start + open.source.length }] : [];
  }

  /** Reads on in the open value, or opens the next one, and returns where to read on. */
  #readValue({ text, start, end }: Line, from: number, parts: StreamPart[]): number {
    const at = this.#open ? from : skipBetween(text, from);
    if (at >= text.length) return at;
    if (!this.#open && text[at] !== '{') {
      parts.push({ kind: 'foreign', start: start + at, end });
      return text.length;
    }
    const isContinued = this.#open !== undefined && from === 0;
    const open = this.#open ?? new OpenValue(start + at);
    const to = open.take(text, at);
    this.#open = open.needsMore ? open : undefined;
    if (this.#open) return text.length;
    parts.push(finished(open, start + to));
    if (open.walker.status === 'done') return to;
    // An event that lost its end does not cost the one in the next line.
    return isContinued ? 0 : text.length;
  }
}

function skipBetween(text: string, from: number): number {
  BETWEEN.lastIndex = from;
  return from + (BETWEEN.exec(text)?.[0].length ?? 0);
}

function finished(open: OpenValue, end: number): StreamPart {
  const { source, start } = open;
  const value = open.walker.status === 'done' ? tryParse(source) : undefined;
  return isObject(value)
    ? { kind: 'event', event: { value, source, start, end } }
    : { kind: 'unreadable', start, end };
}
