import { messageOf, ToolgateError } from '../../domain/errors.js';

/** Collects what is wrong with a set of tools, so that all of it is said at once. */
export class ToolProblems {
  readonly #found: ToolgateError[] = [];

  add(toolName: string, error: unknown): void {
    this.#found.push(named(toolName, error));
  }

  /** What the work gives, or nothing if it fails. */
  try<T>(toolName: string, work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.add(toolName, error);
      return undefined;
    }
  }

  throwIfAny(): void {
    const [first] = this.#found;
    if (!first) return;
    if (this.#found.length === 1) throw first;
    const isSame = this.#found.every(({ code }) => code === first.code);
    const lines = this.#found.map(({ message }) => `- ${message.replaceAll('\n', '\n  ')}`);
    throw new ToolgateError(
      isSame ? first.code : 'WORKFLOW.TOOL.INVALID',
      `${this.#found.length} problems with tools:\n${lines.join('\n')}`,
      { details: this.#found.map(({ code, message }) => ({ code, message })) },
    );
  }
}

/** Errors that do not say so themselves are told apart by their tool. */
function named(toolName: string, error: unknown): ToolgateError {
  const message = messageOf(error);
  const code = error instanceof ToolgateError ? error.code : 'WORKFLOW.TOOL.INVALID';
  const text = message.startsWith('Tool "') ? message : `Tool "${toolName}": ${message}`;
  return new ToolgateError(code, text, { cause: error });
}
