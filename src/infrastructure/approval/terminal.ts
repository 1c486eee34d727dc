import { StringDecoder } from 'node:string_decoder';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';

/** What a terminal's keyboard must offer; `process.stdin` does. */
export interface TerminalInput extends NodeJS.ReadableStream {
  readonly isTTY?: boolean;
  readonly isRaw?: boolean;
  setRawMode?(mode: boolean): unknown;
}

/** What a terminal's screen must offer; `process.stderr` does. */
export interface TerminalOutput extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** What was typed, or why nothing more will be. */
export type Typed = { readonly text: string } | 'end' | 'aborted';

const QUIET_MS = 30;
const MOST_ROUNDS = 20;

/** A terminal for the time of one question: keys come one by one and unseen, and all is put back at the end. */
export class Terminal {
  readonly #decoder = new StringDecoder('utf8');
  readonly #typed: string[] = [];
  readonly #wasRaw: boolean;
  readonly #wasFlowing: boolean;
  #over: 'end' | 'aborted' | undefined;
  #wake: () => void = () => {};

  constructor(
    private readonly input: TerminalInput,
    private readonly output: TerminalOutput,
    private readonly signal: AbortSignal,
  ) {
    this.#wasRaw = input.isRaw ?? false;
    this.#wasFlowing = (input as { readableFlowing?: boolean | null }).readableFlowing === true;
  }

  /** Takes the terminal. Also after this has thrown, `close` gives it back. */
  open(): void {
    const { input, output, signal } = this;
    for (const event of ENDINGS) input.on(event, this.#onEnd);
    output.on('error', this.#onEnd);
    signal.addEventListener('abort', this.#onAbort, { once: true });
    input.on('data', this.#onData);
    input.setRawMode?.(true);
    input.resume();
    if (signal.aborted) this.#onAbort();
  }

  /** Throws away what was typed before the question could be read. False if the keyboard does not fall silent. */
  async discardTypeAhead(): Promise<boolean> {
    for (let round = 0; round < MOST_ROUNDS && !this.#over; round += 1) {
      this.#typed.length = 0;
      await delay(QUIET_MS);
      // Timers run before input is read: a busy process must have looked once more.
      await turn();
      if (this.#typed.length === 0) return true;
    }
    return this.#over !== undefined;
  }

  write(text: string): void {
    this.output.write(text);
  }

  async read(): Promise<Typed> {
    while (this.#typed.length === 0 && !this.#over) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#over) return this.#over;
    return { text: this.#typed.shift() ?? '' };
  }

  close(): void {
    const { input, output, signal } = this;
    for (const event of ENDINGS) input.off(event, this.#onEnd);
    output.off('error', this.#onEnd);
    signal.removeEventListener('abort', this.#onAbort);
    input.off('data', this.#onData);
    // A keyboard that is listened to keeps the process alive.
    if (!this.#wasFlowing) input.pause();
    input.setRawMode?.(this.#wasRaw);
  }

  readonly #onData = (chunk: Buffer | string): void => {
    this.#typed.push(typeof chunk === 'string' ? chunk : this.#decoder.write(chunk));
    this.#wake();
  };

  readonly #onEnd = (): void => {
    this.#over ??= 'end';
    this.#wake();
  };

  readonly #onAbort = (): void => {
    this.#over ??= 'aborted';
    this.#wake();
  };
}

const ENDINGS = ['end', 'close', 'error'] as const;
