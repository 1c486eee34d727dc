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
import { inputItems, instructionsOf } from './responses-input.js';
import { responsesReply } from './responses-reply.js';
import { ResponsesStream } from './responses-stream.js';

export interface ResponsesSettings extends HttpSettings {
  /** The API's own `reasoning`: `{ effort: low }`. */
  readonly reasoning?: JsonObject;
}

export const RESPONSES_BODY_KEYS = [
  'model',
  'input',
  'instructions',
  'tools',
  'tool_choice',
  'stream',
  'store',
  'include',
  'reasoning',
  'temperature',
  'max_output_tokens',
  'previous_response_id',
  'background',
] as const;

/** Models that think, also under a name that a gateway or a deployment puts before theirs; others refuse to be asked. */
const THINKS = /(?:^|[/:-])(?:o\d(?:-?(?:mini|pro))?\b|codex|gpt-oss|gpt-?(?:[5-9]|[12]\d)(?!\d|.*-chat))/;

/** OpenAI's Responses API, with nothing stored there: the whole conversation goes along, thoughts encrypted. */
export class ResponsesProtocol implements WireProtocol {
  readonly format = 'sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly #texts = new WireTexts();
  readonly #offered = new OfferedTools(toolsText);

  constructor(private readonly settings: ResponsesSettings) {
    this.url = openAiUrl(settings.baseUrl, 'responses');
    this.headers = bearerHeaders(settings);
  }

  body({ messages, tools }: AgentRequest): string {
    const { model, extra, temperature, maxTokens, stream, reasoning } = this.settings;
    const offered = this.#offered.textFor(tools, messages);
    const thinks = reasoning !== undefined || THINKS.test(model);
    const items = messages.map((message) => itemsOf(this.#texts.of(message, () => inputItems(message))));
    return objectText({
      ...jsonMembers({ ...extra, model, temperature, max_output_tokens: maxTokens, reasoning, store: false }),
      ...jsonMembers({
        stream: stream || undefined,
        include: thinks ? ['reasoning.encrypted_content'] : undefined,
        instructions: instructionsOf(messages),
      }),
      tools: offered?.text,
      tool_choice: offered && !offered.isAllowed ? '"none"' : undefined,
      input: listText(items.filter((text) => text !== '')),
    });
  }

  whole(body: JsonObject): AgentReply {
    return responsesReply(body);
  }

  reader(onText: (delta: string) => void): StreamReader<AgentReply> {
    return new ResponsesStream(onText);
  }
}

/** `strict` is said, since it is tried when it is not, and most schemas are not made for it. */
function toolsText(tools: readonly Tool[]): string {
  return wireText(
    tools.map(({ name, description, parameters }) => ({
      type: 'function',
      name,
      ...(description === '' ? {} : { description }),
      parameters: wireParameters(parameters),
      strict: false,
    })),
  );
}
