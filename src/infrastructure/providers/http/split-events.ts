import { createParser } from 'eventsource-parser';

/** One event of a stream: its text, and whether it is said to be an error. */
export interface WireEvent {
  readonly data: string;
  readonly isError?: boolean;
}

/** Takes text as it comes and gives what it completes. */
export interface Splitter {
  split(piece: string): readonly WireEvent[];
  /** A line that has no place in such a stream, if there was one. */
  readonly strangeLine?: string | undefined;
}

/** Server-sent events. */
export class ServerEvents implements Splitter {
  #ready: WireEvent[] = [];
  strangeLine: string | undefined;
  readonly #parser = createParser({
    onEvent: ({ event, data }) => {
      // Gateways write events without data to keep a connection open.
      if (data.trim() !== '') this.#ready.push({ data, isError: event === 'error' });
    },
    onError: ({ field, value = '', line }) => {
      // Older llama.cpp has a field of its own for what went wrong.
      if (field === 'error') this.#ready.push({ data: value, isError: true });
      else this.strangeLine ??= line;
    },
  });

  split(piece: string): readonly WireEvent[] {
    this.#ready = [];
    this.#parser.feed(piece);
    return this.#ready;
  }
}

/** A JSON object a line. */
export class Lines implements Splitter {
  #pending: string[] = [];

  split(piece: string): readonly WireEvent[] {
    const parts = piece.split('\n');
    const last = parts.pop() ?? '';
    const [first, ...rest] = parts;
    if (first === undefined) {
      this.#pending.push(last);
      return [];
    }
    const whole = [this.#pending.join('') + first, ...rest];
    this.#pending = [last];
    return whole.filter((line) => line.trim() !== '').map((data) => ({ data }));
  }
}
