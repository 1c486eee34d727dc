import { StringDecoder } from 'node:string_decoder';

/** A line that is longer is passed on in pieces: nobody types one, and a pipe must not fill the memory. */
const LONGEST_LINE = 1024 * 1024;
const ENDINGS = ['end', 'close', 'error'] as const;

/** Takes lines from a stream when they are asked for, and leaves the stream alone in between. */
export class LineReader {
  readonly #decoder = new StringDecoder('utf8');
  #text = '';
  #isOver = false;

  constructor(private readonly input: NodeJS.ReadableStream) {}

  /** The next line without its end; nothing when there is none any more. */
  async read(signal: AbortSignal): Promise<string | undefined> {
    for (;;) {
      const line = this.#take();
      if (line !== undefined || this.#isOver) return line;
      await this.#more(signal);
      signal.throwIfAborted();
    }
  }

  #take(): string | undefined {
    const end = this.#text.indexOf('\n');
    const length = end < 0 && this.#text.length >= LONGEST_LINE ? LONGEST_LINE : end;
    if (length >= 0) return this.#cut(length, end < 0 ? length : length + 1);
    // A last line may have no end.
    return this.#isOver && this.#text !== '' ? this.#cut(this.#text.length, this.#text.length) : undefined;
  }

  #cut(length: number, next: number): string {
    const line = this.#text.slice(0, length).replace(/\r$/, '');
    this.#text = this.#text.slice(next);
    return line;
  }

  /** Waits until something has come, or nothing will. */
  #more(signal: AbortSignal): Promise<void> {
    const { input } = this;
    return new Promise((resolve) => {
      const done = (): void => {
        input.off('data', onData);
        for (const event of ENDINGS) input.off(event, onEnd);
        signal.removeEventListener('abort', done);
        // A stream that is listened to keeps the process alive.
        input.pause();
        resolve();
      };
      const onData = (chunk: Buffer | string): void => {
        this.#text += typeof chunk === 'string' ? chunk : this.#decoder.write(chunk);
        done();
      };
      const onEnd = (): void => {
        this.#isOver = true;
        done();
      };
      if (!input.readable) return onEnd();
      input.on('data', onData);
      for (const event of ENDINGS) input.on(event, onEnd);
      signal.addEventListener('abort', done, { once: true });
      if (signal.aborted) done();
      else input.resume();
    });
  }
}
