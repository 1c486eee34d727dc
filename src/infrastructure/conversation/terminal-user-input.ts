import type { InputRequest, UserInput } from '../../ports/user-input.js';
import { LineReader } from './line-reader.js';

export interface TerminalUserInputOptions {
  /** Default: the standard input, a terminal or a pipe. */
  readonly input?: NodeJS.ReadableStream;
  /** Where the prompt goes; nothing is asked for where nobody sees it. */
  readonly output?: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/** Reads what a person types, a line at a time. The end of the input is the end of the conversation. */
export class TerminalUserInput implements UserInput {
  #reader: LineReader | undefined;

  constructor(private readonly options: TerminalUserInputOptions = {}) {}

  async read(
    _request: InputRequest,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<string | undefined> {
    const { input = process.stdin, output = process.stderr } = this.options;
    signal.throwIfAborted();
    // One for all questions: what a pipe sends after the first line belongs to the next.
    this.#reader ??= new LineReader(input);
    if (output.isTTY) output.write('> ');
    return await this.#reader.read(signal);
  }
}
