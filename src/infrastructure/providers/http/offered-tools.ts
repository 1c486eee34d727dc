import type { Message } from '../../../domain/message.js';
import { createTool, TOOL_NAME, type Tool } from '../../../domain/tool.js';

export interface OfferedText {
  readonly text: string;
  /** False on the turn that sums up: the tools are still described, and none may be called. */
  readonly isAllowed: boolean;
}

/**
 * The tools as an API reads them, written once. On a turn without tools those of the turns before are still sent,
 * with calls forbidden: APIs refuse a history of calls to tools that nobody describes, and their caches begin with
 * the tools.
 */
export class OfferedTools {
  #tools: readonly Tool[] = [];
  #text = '';

  constructor(private readonly write: (tools: readonly Tool[]) => string) {}

  textFor(tools: readonly Tool[], messages: readonly Message[]): OfferedText | undefined {
    const isAllowed = tools.length > 0;
    if (isAllowed) this.#remember(tools);
    else if (this.#tools.length === 0) this.#remember(usedTools(messages));
    return this.#tools.length === 0 ? undefined : { text: this.#text, isAllowed };
  }

  #remember(tools: readonly Tool[]): void {
    if (tools === this.#tools) return;
    this.#tools = tools;
    this.#text = this.write(tools);
  }
}

/** What a resumed run knows of tools that are offered no more: their names. */
function usedTools(messages: readonly Message[]): readonly Tool[] {
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? message.calls : []));
  const names = new Set(calls.map(({ name }) => name).filter((name) => TOOL_NAME.test(name)));
  return [...names].map((name) => createTool({ name, description: 'Not available any more.' }));
}
