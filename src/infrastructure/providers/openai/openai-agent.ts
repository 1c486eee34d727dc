import type { JsonObject } from '../../../domain/json.js';
import { createClient, type HttpSurroundings } from '../http/create-client.js';
import { HttpOptions } from '../http/http-options.js';
import { WireAgent } from '../http/wire-agent.js';
import { CHAT_BODY_KEYS, ChatProtocol } from './chat-protocol.js';
import { OPENAI_PRICES } from './openai-prices.js';
import { RESPONSES_BODY_KEYS, ResponsesProtocol } from './responses-protocol.js';

/** OpenAI: the Responses API, or Chat Completions with `api: chat`. */
export function createOpenAi(options: JsonObject, surroundings: HttpSurroundings): WireAgent {
  const name = 'openai';
  const isChat = options.api === 'chat';
  const reader = new HttpOptions(
    {
      name,
      baseUrl: 'https://api.openai.com',
      keyVariables: ['OPENAI_API_KEY'],
      isKeyRequired: true,
      ownOptions: isChat ? ['api'] : ['api', 'reasoning'],
      bodyKeys: isChat ? CHAT_BODY_KEYS : RESPONSES_BODY_KEYS,
      prices: OPENAI_PRICES,
    },
    options,
    surroundings.env,
  );
  reader.choice('api', ['responses', 'chat']);
  const reasoning = options.reasoning === undefined ? {} : { reasoning: reader.object('reasoning') };
  const settings = reader.settings();
  const protocol = isChat
    ? new ChatProtocol({ ...settings, limitKey: 'max_completion_tokens', includeUsage: true })
    : new ResponsesProtocol({ ...settings, ...reasoning });
  const client = createClient(name, settings, surroundings);
  return new WireAgent(name, { protocol, settings, client });
}

/** Any server that speaks Chat Completions: vLLM, llama.cpp, LM Studio, OpenRouter and their kin. */
export function createOpenAiCompatible(options: JsonObject, surroundings: HttpSurroundings): WireAgent {
  const name = 'openai_compatible';
  const reader = new HttpOptions(
    {
      name,
      keyVariables: ['OPENAI_COMPATIBLE_API_KEY'],
      isKeyRequired: false,
      ownOptions: ['include_usage'],
      bodyKeys: CHAT_BODY_KEYS,
    },
    options,
    surroundings.env,
  );
  const includeUsage = reader.flag('include_usage') ?? true;
  const settings = reader.settings();
  const protocol = new ChatProtocol({ ...settings, limitKey: 'max_tokens', includeUsage });
  return new WireAgent(name, { protocol, settings, client: createClient(name, settings, surroundings) });
}
