import type { JsonObject } from '../domain/json.js';
import type { AssistantMessage, Message, Usage } from '../domain/message.js';
import type { Tool } from '../domain/tool.js';
import type { AgentGate } from './agent-gate.js';

/**
 * A model, or whatever answers like one. One call is one turn. It throws a coded error when no reply can be had;
 * a strange reply is a reply. It must not change or keep `messages`, which grows as the step goes on.
 */
export interface AgentProvider {
  readonly name: string;
  /**
   * `native` (default): it takes tools, and its reply lists calls. `text`: it takes tools, and its reply's text is
   * searched for calls. `none`: it takes and writes nothing but text, so that tools must be described to it.
   */
  readonly toolProtocol?: 'native' | 'text' | 'none';
  /** It runs a loop of its own: it makes its calls by `context.gate` while it answers, and its reply lists none. */
  readonly ownsLoop?: true;
  /** What whoever runs it should know: what it cannot hold to, or what answers in its place. */
  readonly warnings?: readonly string[];
  /** Why it does not say what a turn costs, and what helps, where it does not: no limit of money holds it then. */
  readonly costUnknown?: string | undefined;
  complete(request: AgentRequest, context: AgentContext): Promise<AgentReply>;
}

export interface AgentRequest {
  readonly messages: readonly Message[];
  /** Empty on the last turn after a limit: the agent is to sum up. */
  readonly tools: readonly Tool[];
  readonly options: JsonObject;
  /** How often the step has asked before; its history may have been cut, so it does not tell. */
  readonly asked?: number;
}

export interface AgentContext {
  readonly signal: AbortSignal;
  /** Text as it arrives, for people who watch. */
  readonly onText?: (delta: string) => void;
  /** Given to an agent that owns its loop, when it is asked for a turn. */
  readonly gate?: AgentGate;
}

export interface AgentReply {
  readonly message: AssistantMessage;
  readonly usage?: Usage;
  /**
   * How much of the model's context is taken, where `usage` does not tell because it is of several requests: the
   * tokens of the last one and of its reply. 0 where that is not known.
   */
  readonly contextTokens?: number;
}

/** Makes the provider that a step names. */
export interface AgentProviders {
  create(name: string, options: JsonObject): Promise<AgentProvider>;
}
