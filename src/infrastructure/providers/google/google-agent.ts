import type { JsonObject } from '../../../domain/json.js';
import type { AgentContext, AgentProvider, AgentReply, AgentRequest } from '../../../ports/agent-provider.js';
import { operationUrl } from '../http/base-url.js';
import { createClient, type HttpSurroundings } from '../http/create-client.js';
import { HttpOptions } from '../http/http-options.js';
import type { ModelClient } from '../http/model-client.js';
import { costUnknown } from '../http/prices.js';
import { SummedUsage } from '../http/summed-usage.js';
import { GOOGLE_PRICES } from './google-prices.js';
import { assistantMessageOf, isMalformed, usageOf } from './google-reply.js';
import { GOOGLE_BODY_KEYS, GoogleRequests, type GoogleSettings } from './google-request.js';
import { GoogleStream } from './google-stream.js';
import type { WireReply } from './google-wire.js';

const NAME = 'google';
/** How often a model is asked once more when it could not spell its call. */
const MAX_MALFORMED = 2;

/** A provider from a step's options; throws where they are wrong, or no key is there. */
export function createGoogle(options: JsonObject, surroundings: HttpSurroundings): GoogleAgent {
  const reader = new HttpOptions(
    {
      name: NAME,
      baseUrl: 'https://generativelanguage.googleapis.com',
      keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
      isKeyRequired: true,
      ownOptions: ['thinking'],
      bodyKeys: GOOGLE_BODY_KEYS,
      prices: GOOGLE_PRICES,
    },
    options,
    surroundings.env,
  );
  const thinking = options.thinking === undefined ? {} : { thinking: reader.object('thinking') };
  const settings = { ...reader.settings(), ...thinking };
  return new GoogleAgent(settings, createClient(NAME, settings, surroundings));
}

/** Gemini over `generateContent`, with its own function calls. */
export class GoogleAgent implements AgentProvider {
  readonly name = NAME;
  readonly toolProtocol = 'native';
  readonly costUnknown: string | undefined;
  readonly #requests: GoogleRequests;

  constructor(
    private readonly settings: GoogleSettings,
    private readonly client: ModelClient,
  ) {
    this.#requests = new GoogleRequests(settings);
    this.costUnknown = costUnknown(settings.model, settings.price);
  }

  async complete(request: AgentRequest, context: AgentContext): Promise<AgentReply> {
    const body = this.#requests.body(request);
    const usage = new SummedUsage(this.settings.price);
    for (let malformed = 0; ; malformed += 1) {
      const reply = await this.#ask(body, context);
      usage.add(usageOf(reply.usage));
      // Whoever watches has seen nothing of a reply without parts, so it may be had anew.
      const isWorthAnother = isMalformed(reply) && reply.parts.length === 0 && malformed < MAX_MALFORMED;
      if (!isWorthAnother) return this.#reply(reply, usage);
    }
  }

  #reply(reply: WireReply, usage: SummedUsage): AgentReply {
    const message = this.client.understand(() => assistantMessageOf(reply, usage.sum));
    return { message, ...usage.counts() };
  }

  #ask(body: string, { signal, onText = () => undefined }: AgentContext): Promise<WireReply> {
    const { model, baseUrl, apiKey = '', headers, stream } = this.settings;
    const operation = stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
    const path = model.includes('/') ? model : `models/${model}`;
    const request = {
      url: operationUrl(baseUrl, 'v1beta', `${path}:${operation}`),
      headers: { 'content-type': 'application/json', ...headers, 'x-goog-api-key': apiKey },
      body,
    };
    const reader = () => new GoogleStream(onText);
    const whole = (response: JsonObject) => {
      const one = reader();
      one.take(response);
      return one.finish();
    };
    return this.client.ask({ request, whole, format: 'sse', reader, isStreamed: stream }, signal);
  }
}
