import type { InputRequest, UserInput } from '../ports/user-input.js';

/** A person for tests, who says these lines, one a question, and then nothing more. */
export class ScriptedUserInput implements UserInput {
  readonly #requests: InputRequest[] = [];

  constructor(private readonly lines: readonly string[]) {}

  /** Every question so far. */
  get requests(): readonly InputRequest[] {
    return this.#requests;
  }

  async read(
    request: InputRequest,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<string | undefined> {
    signal.throwIfAborted();
    this.#requests.push(request);
    return this.lines[this.#requests.length - 1];
  }
}
