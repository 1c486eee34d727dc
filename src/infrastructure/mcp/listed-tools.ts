import { messageOf, ToolgateError } from '../../domain/errors.js';
import type { McpTool } from './sdk.js';

const MAX_TOOLS = 1_000;
const MAX_LENGTH = 8 * 1024 * 1024;

/** A server's tools as its pages bring them; more than anybody reads is an error before it fills the memory. */
export class ListedTools {
  readonly tools: McpTool[] = [];
  #length = 0;

  constructor(private readonly server: string) {}

  add(page: readonly McpTool[]): void {
    if (this.tools.length + page.length > MAX_TOOLS) throw this.problem(`lists more than ${MAX_TOOLS} tools`);
    this.#length += this.#lengthOf(page);
    if (this.#length > MAX_LENGTH) throw this.problem(`says more than ${MAX_LENGTH} characters of its tools`);
    this.tools.push(...page);
  }

  problem(problem: string): ToolgateError {
    return new ToolgateError('EXECUTION.TOOL.FAILED', `The MCP server "${this.server}" ${problem}`);
  }

  /** What is nested too deep to be written is nested too deep for whoever would read it. */
  #lengthOf(page: readonly McpTool[]): number {
    try {
      return JSON.stringify(page).length;
    } catch (error) {
      throw this.problem(`lists tools that cannot be read: ${messageOf(error)}`);
    }
  }
}
