import type { JsonObject } from '../../../domain/json.js';
import type { Tool } from '../../../domain/tool.js';
import type { AgentReply, AgentRequest } from '../../../ports/agent-provider.js';
import { openAiUrl } from '../http/base-url.js';
import { itemsOf } from '../http/call-values.js';
import type { HttpSettings } from '../http/http-settings.js';
import type { StreamReader } from '../http/model-client.js';
import { OfferedTools } from '../http/offered-tools.js';
import { bearerHeaders, type WireProtocol } from '../http/wire-agent.js';
import { wireParameters } from '../http/wire-parameters.js';
import { jsonMembers, listText, objectText, WireTexts, wireText } from '../http/wire-text.js';
import { chatMessages } from './chat-messages.js';
import { chatReply } from './chat-reply.js';
import { ChatStream } from './chat-stream.js';

export interface ChatSettings extends HttpSettings {
  /** What the limit of a reply is called: OpenAI renamed it, and most others did not. */
  readonly limitKey: 'max_completion_tokens' | 'max_tokens';
  /** Whether a stream is asked to tell what it cost; some servers refuse to be asked. */
  readonly includeUsage: boolean;
}

export const CHAT_BODY_KEYS = [
  'model',
  'messages',
  'tools',
  'tool_choice',
  'stream',
  'stream_options',
  'temperature',
  'max_tokens',
  'max_completion_tokens',
  'n',
] as const;

/** OpenAI's Chat Completions API, which many other servers speak as well. */
export class ChatProtocol implements WireProtocol {
  readonly format = 'sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly #texts = new WireTexts();
  readonly #offered = new OfferedTools(toolsText);

  constructor(private readonly settings: ChatSettings) {
    this.url = openAiUrl(settings.baseUrl, 'chat/completions');
    this.headers = bearerHeaders(settings);
  }

  body({ messages, tools }: AgentRequest): string {
    const { model, extra, temperature, maxTokens, limitKey, stream, includeUsage } = this.settings;
    const offered = this.#offered.textFor(tools, messages);
    const written = messages.map((message) => itemsOf(this.#texts.of(message, () => chatMessages(message))));
    return objectText({
      ...jsonMembers({ ...extra, model, temperature, [limitKey]: maxTokens, stream: stream || undefined }),
      ...jsonMembers({ stream_options: stream && includeUsage ? { include_usage: true } : undefined }),
      tools: offered?.text,
      tool_choice: offered && !offered.isAllowed ? '"none"' : undefined,
      messages: listText(written.filter((text) => text !== '')),
    });
  }

  whole(body: JsonObject): AgentReply {
    return chatReply(body);
  }

  reader(onText: (delta: string) => void): StreamReader<AgentReply> {
    return new ChatStream(onText);
  }
}

function toolsText(tools: readonly Tool[]): string {
  return wireText(
    tools.map(({ name, description, parameters }) => ({
      type: 'function',
      function: {
        name,
        ...(description === '' ? {} : { description }),
        parameters: wireParameters(parameters),
      },
    })),
  );
}
