/** What a command may touch of the process it runs in; a test gives its own. */
export interface CliIo {
  /** Data, for programs. */
  readonly out: (text: string) => void;
  /** Words, for people. */
  readonly err: (text: string) => void;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Whether somebody watches what goes to `err`: only then is there a spinner. */
  readonly isWatched: boolean;
  /** From now on a first Ctrl-C, or a reader that left, aborts this signal instead of ending the process. */
  readonly interruption: () => AbortSignal;
  readonly isInterrupted: () => boolean;
  /** What starts this very program again; absent where it is not a program of its own. */
  readonly program?: readonly string[];
}

/** Where a command says how it ended. */
export interface CommandHost {
  readonly io: CliIo;
  readonly exit: (code: number) => void;
}
