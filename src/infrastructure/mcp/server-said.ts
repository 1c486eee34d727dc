import { StringDecoder } from 'node:string_decoder';

const MAX_TAIL = 1_000;
const MAX_LINE = 500;
const MAX_MESSAGE = 2_000;

/** What a server says on its standard error: its last words are kept, and each line goes to whoever listens. */
export class ServerSaid {
  readonly #decoder = new StringDecoder('utf8');
  readonly #listeners = new Set<(line: string) => void>();
  #rest = '';
  #tail = '';

  readonly hear = (chunk: Uint8Array): void => {
    const text = this.#decoder.write(Buffer.from(chunk));
    this.#tail = (this.#tail + text).slice(-MAX_TAIL);
    const lines = (this.#rest + text).split('\n');
    this.#rest = (lines.pop() ?? '').slice(0, MAX_LINE);
    for (const line of lines) for (const listen of this.#listeners) listen(line.slice(0, MAX_LINE));
  };

  /** Until the returned function is called. */
  listen(listener: (line: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** For an error message; empty if it said nothing. */
  get lastWords(): string {
    const words = this.#tail.trim();
    return words === '' ? '' : `; its last words: ${words}`;
  }
}

/** A stranger's error message, which may be of any length. */
export function clipped(message: string): string {
  return message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message;
}
