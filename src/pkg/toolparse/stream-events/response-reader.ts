import { Scanner } from '../scan/scanner.js';
import type { EventSource } from './event-source.js';
import { EventStream, type Parse } from './event-stream.js';
import { JsonSource } from './json-source.js';
import { LineSplitter } from './line-splitter.js';
import { SseSource } from './sse-source.js';
import { detectorFor, type StreamDetector, type Verdict } from './stream-detector.js';

const FIRST_CHARACTER = /[^\s\ufeff]/;
/** Enough to tell how a response begins. */
const MAX_BEGINNING = 64;

/** What reads the rest once it is known what the response is. */
interface Reader {
  push(chunk: string): void;
  end(chunk: string): void;
}

/**
 * Reads a response of either kind: a provider's event stream, or text and bodies, which are the scanner's. Until it is
 * certain which, the text is held back; that is no longer than its first word, or its first events.
 */
export class ResponseReader implements Reader {
  readonly #parse: Parse;
  #reader: Reader | undefined;
  #held = '';
  /** The text from its first character that is not blank, as long as nothing else is known of it. */
  #beginning = '';
  #detector: StreamDetector | undefined;

  constructor(parse: Parse) {
    this.#parse = parse;
    if (parse.plan.wire.length === 0) this.#reader = new Scanner(parse.plan, parse.collector);
  }

  push(chunk: string): void {
    if (this.#reader) this.#reader.push(chunk);
    else this.#decide(chunk, false)?.push(this.#release());
  }

  end(chunk = ''): void {
    if (this.#reader) this.#reader.end(chunk);
    else this.#decide(chunk, true)?.end(this.#release());
  }

  #decide(chunk: string, final: boolean): Reader | undefined {
    this.#held += chunk;
    const verdict = this.#detector ? this.#detector.push(chunk, final) : this.#begin(chunk, final);
    if (verdict === 'wait') return undefined;
    this.#reader = this.#readerFor(verdict);
    return this.#reader;
  }

  /** Looks at how the text begins. */
  #begin(chunk: string, final: boolean): Verdict {
    const first = this.#beginning === '' ? chunk.search(FIRST_CHARACTER) : 0;
    if (first >= 0) this.#beginning += chunk.slice(first);
    if (this.#beginning === '') return final ? 'text' : 'wait';
    const beginning = this.#beginning.slice(0, MAX_BEGINNING);
    const offset = this.#held.length - this.#beginning.length;
    const detector = detectorFor(beginning, offset, this.#parse.plan.wire);
    const isOver = final || this.#beginning.length >= MAX_BEGINNING;
    if (typeof detector === 'string') return isOver ? 'text' : detector;
    this.#detector = detector;
    return detector.push(this.#beginning, final);
  }

  #release(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }

  #readerFor(verdict: Exclude<Verdict, 'wait'>): Reader {
    const { plan, collector } = this.#parse;
    if (verdict !== 'text') return new StreamText(this.#parse, verdict);
    const error = this.#detector?.error;
    if (error) collector.problem('provider-error', `The provider reports an error: ${error.message}`, error);
    return new Scanner(plan, collector);
  }
}

/** The text of an event stream, cut into its events. */
class StreamText implements Reader {
  readonly #stream: EventStream;
  readonly #lines = new LineSplitter(0);
  readonly #source: EventSource;

  constructor(parse: Parse, { format, kind }: Exclude<Verdict, string>) {
    this.#stream = new EventStream(format, parse);
    this.#source = kind === 'sse' ? new SseSource() : new JsonSource();
  }

  push(chunk: string): void {
    this.#take(this.#lines.push(chunk));
  }

  end(chunk: string): void {
    this.#take(this.#lines.push(chunk));
    this.#take(this.#lines.end());
    for (const part of this.#source.end()) this.#stream.take(part);
    this.#stream.end();
  }

  #take(lines: ReturnType<LineSplitter['push']>): void {
    for (const line of lines) {
      for (const part of this.#source.push(line)) this.#stream.take(part);
    }
  }
}
