import type { JsonObject } from '../../../domain/json.js';
import type { AgentContext, AgentProvider, AgentReply, AgentRequest } from '../../../ports/agent-provider.js';
import { operationUrl } from '../http/base-url.js';
import { createClient, type HttpSurroundings } from '../http/create-client.js';
import { HttpOptions } from '../http/http-options.js';
import type { ModelClient } from '../http/model-client.js';
import { costUnknown } from '../http/prices.js';
import { badReply } from '../http/provider-error.js';
import { SummedUsage } from '../http/summed-usage.js';
import { ANTHROPIC_PRICES } from './anthropic-prices.js';
import { assistantMessageOf, usageOf, wholeMessage } from './anthropic-reply.js';
import { ANTHROPIC_BODY_KEYS, AnthropicRequests, type AnthropicSettings } from './anthropic-request.js';
import { AnthropicStream } from './anthropic-stream.js';
import type { WireBlock, WireMessage } from './anthropic-wire.js';

const NAME = 'anthropic';
/** How often the API may interrupt one reply before we think that it never ends. */
const MAX_PAUSES = 8;

/** A provider from a step's options; throws where they are wrong, or no key is there. */
export function createAnthropic(options: JsonObject, surroundings: HttpSurroundings): AnthropicAgent {
  const reader = new HttpOptions(
    {
      name: NAME,
      baseUrl: 'https://api.anthropic.com',
      keyVariables: ['ANTHROPIC_API_KEY'],
      isKeyRequired: true,
      ownOptions: ['thinking', 'cache'],
      bodyKeys: ANTHROPIC_BODY_KEYS,
      prices: ANTHROPIC_PRICES,
    },
    options,
    surroundings.env,
  );
  const thinking = options.thinking === undefined ? {} : { thinking: reader.object('thinking') };
  const cache = reader.flag('cache') ?? true;
  const settings = { ...reader.settings(), ...thinking, cache };
  return new AnthropicAgent(settings, createClient(NAME, settings, surroundings));
}

/** Claude over the Messages API, with its own tool calls. */
export class AnthropicAgent implements AgentProvider {
  readonly name = NAME;
  readonly toolProtocol = 'native';
  readonly costUnknown: string | undefined;
  readonly #requests: AnthropicRequests;

  constructor(
    private readonly settings: AnthropicSettings,
    private readonly client: ModelClient,
  ) {
    this.#requests = new AnthropicRequests(settings);
    this.costUnknown = costUnknown(settings.model, settings.price);
  }

  async complete(request: AgentRequest, context: AgentContext): Promise<AgentReply> {
    const usage = new SummedUsage(this.settings.price);
    let before: readonly WireBlock[] = [];
    for (let pauses = 0; pauses <= MAX_PAUSES; pauses += 1) {
      const wire = await this.#ask(this.#requests.body(request, before), context);
      usage.add(usageOf(wire.usage));
      const joined = joinedWith(before, wire);
      if (wire.stop_reason !== 'pause_turn') return this.#reply(joined, usage);
      before = joined.content;
    }
    return this.client.understand(() => {
      throw badReply(`the reply was paused ${MAX_PAUSES + 1} times and did not come to an end`, usage.sum);
    });
  }

  #reply(wire: WireMessage, usage: SummedUsage): AgentReply {
    const message = this.client.understand(() => assistantMessageOf(wire, usage.sum));
    return { message, ...usage.counts() };
  }

  #ask(body: string, { signal, onText = () => undefined }: AgentContext): Promise<WireMessage> {
    const { baseUrl, apiKey = '', headers, stream } = this.settings;
    const request = {
      url: operationUrl(baseUrl, 'v1', 'messages'),
      headers: {
        'anthropic-version': '2023-06-01',
        'content-type': 'application/json',
        ...headers,
        'x-api-key': apiKey,
      },
      body,
    };
    const whole = (reply: JsonObject) => {
      const wire = wholeMessage(reply);
      tell(wire, onText);
      return wire;
    };
    const reader = () => new AnthropicStream(onText);
    return this.client.ask({ request, whole, format: 'sse', reader, isStreamed: stream }, signal);
  }
}

/** After a pause the model goes on where it was: both are one message to it. */
function joinedWith(before: readonly WireBlock[], wire: WireMessage): WireMessage {
  if (before.length === 0) return wire;
  const brokenInputs = new Map([...wire.brokenInputs].map(([place, text]) => [place + before.length, text]));
  return { ...wire, content: [...before, ...wire.content], brokenInputs };
}

function tell({ content }: WireMessage, onText: (text: string) => void): void {
  for (const { type, text } of content) if (type === 'text' && typeof text === 'string') onText(text);
}
