import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.js';
import type { Tool } from '../../../domain/tool.js';
import type { AgentReply, AgentRequest } from '../../../ports/agent-provider.js';
import { operationUrl } from '../http/base-url.js';
import { itemsOf } from '../http/call-values.js';
import type { HttpSettings } from '../http/http-settings.js';
import type { StreamReader } from '../http/model-client.js';
import { bearerHeaders, type WireProtocol } from '../http/wire-agent.js';
import { jsonMembers, listText, objectText, WireTexts, wireText } from '../http/wire-text.js';
import { ollamaMessages } from './ollama-messages.js';
import { OllamaStream } from './ollama-stream.js';

export interface OllamaSettings extends HttpSettings {
  /** Whether the model thinks first, or how hard. */
  readonly think?: Json;
  /** How many tokens of the conversation it sees; its own default is small. */
  readonly contextTokens?: number;
}

export const OLLAMA_BODY_KEYS = ['model', 'messages', 'tools', 'stream', 'think'] as const;

/** Ollama's own chat API: a JSON object a line, arguments as objects, no ids. */
export class OllamaProtocol implements WireProtocol {
  readonly format = 'lines';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly #texts = new WireTexts();

  constructor(private readonly settings: OllamaSettings) {
    this.url = operationUrl(settings.baseUrl, 'api', 'chat');
    this.headers = bearerHeaders(settings);
  }

  body({ messages, tools }: AgentRequest): string {
    const { model, extra, stream, think, temperature, maxTokens, contextTokens } = this.settings;
    const given = isJsonObject(extra.options) ? extra.options : {};
    const limits = { temperature, num_predict: maxTokens, num_ctx: contextTokens };
    const written = messages.map((message) =>
      itemsOf(this.#texts.of(message, () => ollamaMessages(message))),
    );
    return objectText({
      // `stream` is said even where it is false: a stream is what Ollama does by itself.
      ...jsonMembers({ ...extra, model, stream, think, options: { ...given, ...limits } }),
      tools: tools.length > 0 ? toolsText(tools) : undefined,
      messages: listText(written.filter((text) => text !== '')),
    });
  }

  whole(body: JsonObject): AgentReply {
    const stream = new OllamaStream();
    stream.take(body);
    return stream.finish();
  }

  reader(onText: (delta: string) => void): StreamReader<AgentReply> {
    return new OllamaStream(onText);
  }
}

function toolsText(tools: readonly Tool[]): string {
  return wireText(
    tools.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    })),
  );
}
