import { isJsonObject } from '../domain/json.js';
import type { AssistantMessage, Message } from '../domain/message.js';
import type { Tool } from '../domain/tool.js';
import { renderToolCalls } from '../pkg/toolparse/render/render-tool-calls.js';
import { renderToolPrompt } from '../pkg/toolparse/render/render-tool-prompt.js';
import { renderToolResults } from '../pkg/toolparse/render/render-tool-results.js';
import type { FormatChoice } from '../pkg/toolparse/types.js';
import type { AgentContext, AgentProvider, AgentReply, AgentRequest } from '../ports/agent-provider.js';
import { joinUsers, type UserMessage, withJoinedUsers } from './join-users.js';

export interface TextProtocol {
  /** All that are ever offered: the prompt is the same in every turn, so that a provider's cache of it holds. */
  readonly tools: readonly Tool[];
  readonly format: FormatChoice;
}

const NO_MORE_CALLS =
  'No more tool calls are possible. Write none; answer now, in plain words, with what you know.';

/**
 * Lets an agent without tools of its own use ours: they are described in its system prompt, results come to it as
 * the user's next message, and what it writes is searched for calls by whoever asked.
 */
export class TextProtocolAgent implements AgentProvider {
  readonly name: string;
  readonly toolProtocol = 'text';
  readonly #format: FormatChoice;
  readonly #prompt: string;
  readonly #own: Message;
  // Each message is written once, however many turns repeat it; providers may go by its identity as well.
  readonly #written = new WeakMap<Message, Message>();
  readonly #pairs = new WeakMap<UserMessage, { readonly first: UserMessage; readonly both: UserMessage }>();

  constructor(
    private readonly agent: AgentProvider,
    { tools, format }: TextProtocol,
  ) {
    this.name = agent.name;
    this.#format = format;
    this.#prompt = renderToolPrompt(tools, { format });
    this.#own = { role: 'system', content: this.#prompt };
  }

  async complete({ messages, tools, ...rest }: AgentRequest, context: AgentContext): Promise<AgentReply> {
    const all = this.#writeAll(messages);
    const written = tools.length === 0 ? closing(all) : all;
    const reply = await this.agent.complete({ ...rest, messages: written, tools: [] }, context);
    return { ...reply, message: this.#asText(reply.message, tools.length > 0) };
  }

  #writeAll(messages: readonly Message[]): readonly Message[] {
    const told = messages.find(({ role }) => role === 'system');
    const written = messages.map((message) =>
      message.role === 'system' && message !== told ? message : this.#write(message),
    );
    return this.#joined(told ? written : [this.#own, ...written]);
  }

  /** Results are the user's words here, and many models take no two messages of the user in a row. */
  #joined(messages: readonly Message[]): readonly Message[] {
    return withJoinedUsers(messages, (first, second) => this.#pair(first, second));
  }

  /** The same object for the same two, in every turn that has them. */
  #pair(first: UserMessage, second: UserMessage): UserMessage {
    const known = this.#pairs.get(second);
    if (known?.first === first) return known.both;
    const both = joinUsers(first, second);
    this.#pairs.set(second, { first, both });
    return both;
  }

  #write(message: Message): Message {
    const known = this.#written.get(message);
    if (known) return known;
    const written = this.#rewrite(message);
    this.#written.set(message, written);
    return written;
  }

  #rewrite(message: Message): Message {
    switch (message.role) {
      case 'system':
        return { role: 'system', content: `${message.content}\n\n${this.#prompt}` };
      case 'tool':
        return { role: 'user', content: this.#results(message.results) };
      case 'assistant':
        return { ...message, calls: [] };
      case 'user':
        return message;
    }
    return message satisfies never;
  }

  /**
   * Servers that look for calls in a model's text take them out of it. They are put back, as the model must have written
   * them, so that it reads its own words in the next turn; the calls themselves are taken as they are listed.
   */
  #asText(message: AssistantMessage, mayCall: boolean): AssistantMessage {
    if (message.calls.length === 0) return message;
    const { raw: _native, content, ...said } = message;
    if (!mayCall) return { ...said, content, calls: [] };
    const calls = message.calls.map(({ name, arguments: args }) => ({
      name,
      arguments: isJsonObject(args) ? args : {},
    }));
    const written = renderToolCalls(calls, { format: this.#format });
    return { ...said, content: content === '' ? written : `${content}\n${written}` };
  }

  #results(results: Extract<Message, { role: 'tool' }>['results']): string {
    const given = results.map(({ callId, tool, output, isError }) => ({
      id: callId,
      name: tool,
      output,
      isError,
    }));
    return renderToolResults(given, { format: this.#format });
  }
}

/** The last turn: what is said goes to the end, because a changed beginning would be paid for anew. */
function closing(messages: readonly Message[]): readonly Message[] {
  const last = messages.at(-1);
  // Some models take no two messages of the user in a row.
  if (last?.role !== 'user') return [...messages, { role: 'user', content: NO_MORE_CALLS }];
  return [...messages.slice(0, -1), { role: 'user', content: `${last.content}\n\n${NO_MORE_CALLS}` }];
}
