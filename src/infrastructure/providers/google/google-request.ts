import { isJsonObject, type JsonObject } from '../../../domain/json.js';
import type { AssistantMessage, Message } from '../../../domain/message.js';
import type { Tool } from '../../../domain/tool.js';
import type { AgentRequest } from '../../../ports/agent-provider.js';
import type { HttpSettings } from '../http/http-settings.js';
import { OfferedTools } from '../http/offered-tools.js';
import { jsonMembers, listText, objectText, WireTexts, wireText } from '../http/wire-text.js';
import { wireContent } from './google-contents.js';

export interface GoogleSettings extends HttpSettings {
  /** The API's own `thinkingConfig`: `{ thinkingLevel: low }`, `{ thinkingBudget: 1024 }`. */
  readonly thinking?: JsonObject;
}

/** `generationConfig` may be in `extra`: ours is laid over it. */
export const GOOGLE_BODY_KEYS = ['contents', 'systemInstruction', 'tools', 'toolConfig'] as const;

/** Writes requests: everything that is the same from turn to turn is written once. */
export class GoogleRequests {
  readonly #texts = new WireTexts();
  readonly #offered = new OfferedTools(toolsText);

  constructor(private readonly settings: GoogleSettings) {}

  body({ messages, tools }: Pick<AgentRequest, 'messages' | 'tools'>): string {
    const offered = this.#offered.textFor(tools, messages);
    const { generationConfig, ...extra } = this.settings.extra;
    return objectText({
      ...jsonMembers(extra),
      systemInstruction: systemText(messages),
      tools: offered?.text,
      toolConfig: offered && !offered.isAllowed ? '{"functionCallingConfig":{"mode":"NONE"}}' : undefined,
      generationConfig: this.#generationConfig(isJsonObject(generationConfig) ? generationConfig : {}),
      contents: listText(this.#contents(messages)),
    });
  }

  #generationConfig(extra: JsonObject): string | undefined {
    const { maxTokens, temperature, thinking } = this.settings;
    const text = wireText({
      ...extra,
      ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(thinking ? { thinkingConfig: thinking } : {}),
    });
    return text === '{}' ? undefined : text;
  }

  #contents(messages: readonly Message[]): readonly string[] {
    const texts: string[] = [];
    let asked: AssistantMessage | undefined;
    for (const message of messages) {
      if (message.role === 'system') continue;
      const text = this.#texts.of(message, () => wireContent(message, asked));
      if (text !== '') texts.push(text);
      if (message.role === 'assistant') asked = message;
    }
    return texts;
  }
}

function systemText(messages: readonly Message[]): string | undefined {
  const parts = messages.flatMap((message) =>
    message.role === 'system' && message.content.trim() !== '' ? [{ text: message.content }] : [],
  );
  return parts.length === 0 ? undefined : wireText({ parts });
}

function toolsText(tools: readonly Tool[]): string {
  const functionDeclarations = tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parametersJsonSchema: parameters,
  }));
  return wireText([{ functionDeclarations }]);
}
