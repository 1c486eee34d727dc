import type { JsonObject } from '../../../domain/json.js';
import { createClient, type HttpSurroundings } from '../http/create-client.js';
import { HttpOptions } from '../http/http-options.js';
import { WireAgent } from '../http/wire-agent.js';
import { OLLAMA_BODY_KEYS, OllamaProtocol, type OllamaSettings } from './ollama-protocol.js';

/** Models on a server of Ollama, on this machine unless `base_url` says otherwise. */
export function createOllama(options: JsonObject, surroundings: HttpSurroundings): WireAgent {
  const name = 'ollama';
  const reader = new HttpOptions(
    {
      name,
      baseUrl: 'http://127.0.0.1:11434',
      keyVariables: ['OLLAMA_API_KEY'],
      isKeyRequired: false,
      ownOptions: ['think', 'num_ctx'],
      bodyKeys: OLLAMA_BODY_KEYS,
    },
    options,
    surroundings.env,
  );
  const contextTokens = reader.count('num_ctx', 1);
  const settings: OllamaSettings = {
    ...reader.settings(),
    ...(options.think === undefined ? {} : { think: options.think }),
    ...(contextTokens === undefined ? {} : { contextTokens }),
  };
  const client = createClient(name, settings, surroundings);
  return new WireAgent(name, { protocol: new OllamaProtocol(settings), settings, client });
}
