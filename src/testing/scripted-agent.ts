import { ToolgateError } from '../domain/errors.js';
import type { Json } from '../domain/json.js';
import type { Message, Usage } from '../domain/message.js';
import { numberedCalls, scriptPosition } from '../infrastructure/providers/scripted-turn.js';
import type {
  AgentContext,
  AgentProvider,
  AgentProviders,
  AgentReply,
  AgentRequest,
} from '../ports/agent-provider.js';

/** What the agent says in one turn. */
export interface ScriptedTurn {
  readonly text?: string;
  /** Those without an id get `call_001`, `call_002`, …, counted over the transcript. */
  readonly calls?: readonly { readonly id?: string; readonly name: string; readonly arguments?: Json }[];
  readonly usage?: Usage;
  /** The turn fails with this instead of a reply. */
  readonly error?: Error;
}

/** A turn that depends on what was asked; it may also wait, or throw. */
export type ComputedTurn = (
  request: AgentRequest,
  context: AgentContext,
) => ScriptedTurn | AgentReply | Promise<ScriptedTurn | AgentReply>;

export interface ScriptedAgentOptions {
  readonly name?: string;
  readonly toolProtocol?: 'native' | 'text';
}

/**
 * An agent for tests that says what it was told to say. Which turn it is depends on the transcript, not on how
 * often it was asked, so a resumed run goes on where it was. Also gives itself for every provider's name.
 */
export class ScriptedAgent implements AgentProvider, AgentProviders {
  readonly name: string;
  readonly toolProtocol: 'native' | 'text';
  readonly #asked: { readonly request: AgentRequest; readonly messages: number }[] = [];

  constructor(
    private readonly turns: readonly (ScriptedTurn | ComputedTurn)[],
    options: ScriptedAgentOptions = {},
  ) {
    this.name = options.name ?? 'scripted-agent';
    this.toolProtocol = options.toolProtocol ?? 'native';
  }

  /** Every request so far, each with the messages it had then. */
  get requests(): readonly AgentRequest[] {
    return this.#asked.map(({ request, messages }) => ({
      ...request,
      messages: request.messages.slice(0, messages),
    }));
  }

  async create(): Promise<AgentProvider> {
    return this;
  }

  async complete(request: AgentRequest, context: AgentContext): Promise<AgentReply> {
    // The transcript only grows: its length is enough to give it back as it was.
    this.#asked.push({ request, messages: request.messages.length });
    context.signal.throwIfAborted();
    const position = scriptPosition(request);
    const turn = this.turns[position];
    if (!turn) throw unexpectedTurn(position, this.turns.length);
    const said = typeof turn === 'function' ? await turn(request, context) : turn;
    if ('message' in said) return said;
    return replyOf(said, request.messages, context);
  }
}

function replyOf(turn: ScriptedTurn, messages: readonly Message[], context: AgentContext): AgentReply {
  if (turn.error) throw turn.error;
  const { text = '', calls = [], usage } = turn;
  if (text !== '') context.onText?.(text);
  const requested = calls.map((call) => ({ ...call, arguments: call.arguments ?? {} }));
  const message = { role: 'assistant', content: text, calls: numberedCalls(requested, messages) } as const;
  return { message, ...(usage ? { usage } : {}) };
}

function unexpectedTurn(position: number, count: number): ToolgateError {
  const message = `The agent was asked for turn ${position + 1}; its script has ${count}`;
  return new ToolgateError('EXECUTION.PROVIDER.UNEXPECTED_TURN', message);
}
