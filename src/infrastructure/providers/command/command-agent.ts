import type { AgentContext, AgentProvider, AgentReply, AgentRequest } from '../../../ports/agent-provider.js';
import type { ProcessCommand } from '../../../ports/sandbox.js';
import { findProgram } from './find-program.js';
import { renderConversation } from './render-conversation.js';
import { runCommand } from './run-command.js';

export interface CommandAgentOptions {
  readonly command: ProcessCommand;
  /** How long one reply may take. */
  readonly timeoutMs: number;
}

/**
 * Any program that reads a prompt and writes an answer. It is the person's own, as the workflow names it: it runs with
 * their rights and their environment, outside of the sandbox that tools run in.
 */
export class CommandAgent implements AgentProvider {
  readonly name = 'command';
  readonly toolProtocol = 'none';
  readonly costUnknown = 'a command does not say what its answer costs';
  readonly #argv: readonly string[];
  readonly #timeoutMs: number;

  /** Throws if there is no such program: better before the run than in the middle of it. */
  constructor({ command, timeoutMs }: CommandAgentOptions) {
    this.#argv = argvOf(command);
    this.#timeoutMs = timeoutMs;
  }

  async complete({ messages }: AgentRequest, { signal, onText }: AgentContext): Promise<AgentReply> {
    const text = await runCommand(this.#argv, {
      input: renderConversation(messages),
      timeoutMs: this.#timeoutMs,
      signal,
      ...(onText ? { onText } : {}),
    });
    return { message: { role: 'assistant', content: text.trim(), calls: [] } };
  }
}

function argvOf(command: ProcessCommand): readonly string[] {
  switch (command.kind) {
    case 'argv': {
      const [program = '', ...args] = command.argv;
      return [findProgram(program), ...args];
    }
    case 'script':
      return ['/bin/sh', '-c', command.script, 'sh', ...command.args];
    case 'command-line':
      return ['/bin/sh', '-c', command.commandLine];
  }
  return command satisfies never;
}
