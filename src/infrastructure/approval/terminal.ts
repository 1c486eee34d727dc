import { StringDecoder } from 'node:string_decoder';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import type { Layout } from './text-block.js';
import { modeOf, restoreMode } from './tty-mode.js';

/** What a terminal's keyboard must offer; `process.stdin` does. */
export interface TerminalInput extends NodeJS.ReadableStream {
  readonly isTTY?: boolean;
  readonly isRaw?: boolean;
  readonly fd?: number;
  setRawMode?(mode: boolean): unknown;
}

/** What a terminal's screen must offer; `process.stderr` does. */
export interface TerminalOutput extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  readonly fd?: number;
  readonly columns?: number;
  readonly rows?: number;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface TerminalParts {
  readonly input: TerminalInput;
  readonly output: TerminalOutput;
  readonly env: Environment;
  readonly signal: AbortSignal;
}

/** What was typed, or why nothing more will be. */
export type Typed = { readonly text: string } | 'end' | 'aborted';

/** What a program that is lent the terminal reads from and writes to. */
export interface TerminalDescriptors {
  readonly keyboard: number;
  readonly screen: number;
}

const QUIET_MS = 30;
const MOST_ROUNDS = 20;
const STOPPING_MS = 50;
/** How much later than the end of a terminal the signal that tells of it may come. */
const HANG_UP_MS = 500;

/** A terminal for the time of one question: keys come one by one and unseen, and all is put back at the end. */
export class Terminal {
  readonly env: Environment;
  readonly signal: AbortSignal;
  readonly #input: TerminalInput;
  readonly #output: TerminalOutput;
  readonly #decoder = new StringDecoder('utf8');
  readonly #typed: string[] = [];
  readonly #wasRaw: boolean;
  readonly #wasFlowing: boolean;
  #over: 'end' | 'aborted' | undefined;
  #hangingUp: ReturnType<typeof setTimeout> | undefined;
  #wake: () => void = () => {};

  constructor({ input, output, env, signal }: TerminalParts) {
    this.#input = input;
    this.#output = output;
    this.env = env;
    this.signal = signal;
    this.#wasRaw = input.isRaw ?? false;
    this.#wasFlowing = (input as { readableFlowing?: boolean | null }).readableFlowing === true;
  }

  /** As it is now: a window can be resized. A terminal that does not know its size says 0. */
  get size(): Pick<Layout, 'columns' | 'rows' | 'isColoured'> {
    const { columns, rows, isTTY } = this.#output;
    const isColoured = isTTY === true && !this.env.NO_COLOR && this.env.TERM !== 'dumb';
    return { columns: columns || 80, rows: rows || 24, isColoured };
  }

  /** Whether a program can be run on it: it is a real one, and the system has a shell where we look for it. */
  get isLendable(): boolean {
    return this.#descriptors !== undefined && process.platform !== 'win32';
  }

  /** Takes the terminal. Also after this has thrown, `close` gives it back. */
  open(): void {
    for (const event of ENDINGS) this.#input.on(event, this.#onEnd);
    this.#output.on('error', this.#onEnd);
    this.signal.addEventListener('abort', this.#onAbort, { once: true });
    process.on('SIGCONT', this.#onContinue);
    this.#listen();
    if (this.signal.aborted) this.#onAbort();
  }

  close(): void {
    for (const event of ENDINGS) this.#input.off(event, this.#onEnd);
    this.#output.off('error', this.#onEnd);
    this.signal.removeEventListener('abort', this.#onAbort);
    process.off('SIGCONT', this.#onContinue);
    clearTimeout(this.#hangingUp);
    this.#input.off('data', this.#onData);
    // A keyboard that is listened to keeps the process alive.
    if (!this.#wasFlowing) this.#input.pause();
    this.#setRaw(this.#wasRaw);
  }

  write(text: string): void {
    this.#output.write(text);
  }

  /**
   * Puts a question and takes what is pressed then. What was typed before all of it was on the screen is no answer
   * to it; what comes close behind a key belongs to it, so that the first letter of pasted text is none either.
   */
  async ask(question: string): Promise<Typed | 'never-silent'> {
    if (!(await this.#discardTypeAhead())) return 'never-silent';
    this.write(question);
    const first = await this.read();
    if (typeof first === 'string') return first;
    await quiet();
    return this.#over ?? { text: first.text + this.#typed.splice(0).join('') };
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

  /** Leaves the terminal to a program, in the mode that it had, and takes it back in that very mode. */
  async lend<T>(work: (descriptors: TerminalDescriptors) => Promise<T>): Promise<T> {
    const descriptors = this.#descriptors;
    if (!descriptors) throw new Error('there is no terminal to run a program on');
    this.#release();
    const mode = modeOf(descriptors.keyboard);
    try {
      return await work(descriptors);
    } finally {
      restoreMode(descriptors.keyboard, mode);
      this.#listen();
    }
  }

  /** Ctrl-Z: stops the job as the terminal would, and goes on when the shell lets it. */
  async suspend(): Promise<void> {
    if (!this.isLendable) return;
    this.#release();
    this.write('\n');
    try {
      process.kill(0, 'SIGTSTP');
      // Stopped in here, unless no shell is there to go on from: then the system ignores it.
      await delay(STOPPING_MS);
    } finally {
      this.#listen();
    }
  }

  get #descriptors(): TerminalDescriptors | undefined {
    const { fd: keyboard } = this.#input;
    const { fd: screen } = this.#output;
    return keyboard === undefined || screen === undefined ? undefined : { keyboard, screen };
  }

  /** False if the keyboard does not fall silent. */
  async #discardTypeAhead(): Promise<boolean> {
    for (let round = 0; round < MOST_ROUNDS && !this.#over; round += 1) {
      this.#typed.length = 0;
      await quiet();
      if (this.#typed.length === 0) return true;
    }
    return this.#over !== undefined;
  }

  #listen(): void {
    this.#input.on('data', this.#onData);
    this.#setRaw(true);
    this.#input.resume();
  }

  #release(): void {
    this.#input.off('data', this.#onData);
    this.#input.pause();
    this.#setRaw(false);
  }

  /** A terminal that has gone has no mode; that it has gone is told by its end, or by whoever ends the run. */
  #setRaw(isRaw: boolean): void {
    try {
      this.#input.setRawMode?.(isRaw);
    } catch {
      this.#onEnd();
    }
  }

  readonly #onData = (chunk: Buffer | string): void => {
    this.#typed.push(typeof chunk === 'string' ? chunk : this.#decoder.write(chunk));
    this.#wake();
  };

  /** A shell that continues a stopped job sets the mode that itself likes; setting ours twice makes it be set. */
  readonly #onContinue = (): void => {
    if (!this.#input.isRaw) return;
    this.#setRaw(false);
    this.#setRaw(true);
  };

  /** A terminal that hangs up says so by a signal as well, which means that the run is to stop, not that it is a no. */
  readonly #onEnd = (): void => {
    if (this.#input.isTTY) this.#hangingUp ??= setTimeout(this.#finish, HANG_UP_MS, 'end');
    else this.#finish('end');
  };

  readonly #onAbort = (): void => this.#finish('aborted');

  readonly #finish = (why: 'end' | 'aborted'): void => {
    this.#over ??= why;
    this.#wake();
  };
}

const ENDINGS = ['end', 'close', 'error'] as const;

async function quiet(): Promise<void> {
  await delay(QUIET_MS);
  // Timers run before input is read: a busy process must have looked once more.
  await turn();
}
