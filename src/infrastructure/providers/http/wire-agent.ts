import type { JsonObject } from '../../../domain/json.js';
import type { AgentContext, AgentProvider, AgentReply, AgentRequest } from '../../../ports/agent-provider.js';
import type { HttpSettings } from './http-settings.js';
import type { ModelClient, StreamReader } from './model-client.js';
import { costUnknown, withCost } from './prices.js';
import type { StreamFormat } from './read-reply.js';

/** An API where one request is one turn: how it is asked, and how its reply is read. */
export interface WireProtocol {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly format: StreamFormat;
  body(request: AgentRequest): string;
  /** A reply that came at once. */
  whole(body: JsonObject): AgentReply;
  reader(onText: (delta: string) => void): StreamReader<AgentReply>;
}

export interface WireAgentParts {
  readonly protocol: WireProtocol;
  readonly settings: HttpSettings;
  readonly client: ModelClient;
}

/** A provider whose API is a `WireProtocol`. */
export class WireAgent implements AgentProvider {
  readonly toolProtocol = 'native';
  readonly costUnknown: string | undefined;

  constructor(
    readonly name: string,
    private readonly parts: WireAgentParts,
  ) {
    this.costUnknown = costUnknown(parts.settings.model, parts.settings.price);
  }

  async complete(request: AgentRequest, context: AgentContext): Promise<AgentReply> {
    const reply = await this.#ask(request, context);
    return reply.usage ? { ...reply, usage: withCost(reply.usage, this.parts.settings.price) } : reply;
  }

  #ask(asked: AgentRequest, { signal, onText = () => undefined }: AgentContext): Promise<AgentReply> {
    const { protocol, client, settings } = this.parts;
    const { url, headers, format } = protocol;
    const request = { url, headers, body: protocol.body(asked) };
    const whole = (body: JsonObject) => {
      const reply = protocol.whole(body);
      if (reply.message.content !== '') onText(reply.message.content);
      return reply;
    };
    const reader = () => protocol.reader(onText);
    return client.ask({ request, whole, format, reader, isStreamed: settings.stream }, signal);
  }
}

/** The headers of an API whose key is a bearer's. */
export function bearerHeaders({ headers, apiKey }: HttpSettings): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/json',
    ...headers,
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  };
}
