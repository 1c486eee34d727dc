import type { JsonObject } from '../../../domain/json.js';
import type { Message } from '../../../domain/message.js';
import type { Tool } from '../../../domain/tool.js';
import type { AgentRequest } from '../../../ports/agent-provider.js';
import type { HttpSettings } from '../http/http-settings.js';
import { OfferedTools } from '../http/offered-tools.js';
import { wireParameters } from '../http/wire-parameters.js';
import { jsonMembers, listText, objectText, WireTexts, wireText } from '../http/wire-text.js';
import { CACHE_MARK, wireMessage, withCacheMark } from './anthropic-messages.js';
import type { WireBlock } from './anthropic-wire.js';

export interface AnthropicSettings extends HttpSettings {
  /** The API's own `thinking`: `{ type: enabled, budget_tokens: 4000 }`. */
  readonly thinking?: JsonObject;
  /** Whether the stable part of requests is marked for the provider's cache. */
  readonly cache: boolean;
}

export const ANTHROPIC_BODY_KEYS = [
  'model',
  'max_tokens',
  'temperature',
  'thinking',
  'stream',
  'system',
  'tools',
  'tool_choice',
  'messages',
] as const;

type Spoken = Exclude<Message, { role: 'system' }>;

/** Writes requests: everything that is the same from turn to turn is written once. */
export class AnthropicRequests {
  readonly #texts = new WireTexts();
  readonly #offered = new OfferedTools((tools) => this.#tools(tools));
  readonly #mustBeSigned: boolean;

  constructor(private readonly settings: AnthropicSettings) {
    this.#mustBeSigned = isAnthropicItself(settings.baseUrl);
  }

  /** The body for a turn; `paused` is what the model had written when the API interrupted it. */
  body(
    { messages, tools }: Pick<AgentRequest, 'messages' | 'tools'>,
    paused: readonly WireBlock[] = [],
  ): string {
    const { model, maxTokens, temperature, thinking, stream, extra } = this.settings;
    const offered = this.#offered.textFor(tools, messages);
    return objectText({
      ...jsonMembers({ ...extra, model, max_tokens: maxTokens ?? defaultMaxTokens(model) }),
      ...jsonMembers({ temperature, thinking, stream: stream || undefined }),
      system: this.#system(messages),
      tools: offered?.text,
      tool_choice: offered && !offered.isAllowed ? '{"type":"none"}' : undefined,
      messages: listText(this.#messages(messages, paused)),
    });
  }

  #messages(messages: readonly Message[], paused: readonly WireBlock[]): string[] {
    const marked = this.settings.cache ? lastAsked(messages) : [];
    const texts: string[] = [];
    for (const [place, message] of messages.entries()) {
      if (message.role === 'system') continue;
      const text = marked.includes(place) ? this.#marked(message) : this.#text(message);
      if (text !== '') texts.push(text);
    }
    return paused.length === 0 ? texts : [...texts, wireText({ role: 'assistant', content: paused })];
  }

  #text(message: Spoken): string {
    return this.#texts.of(message, () => wireMessage(message, this.#mustBeSigned));
  }

  /** Written anew: next turn the marks are further on, since only four are allowed. */
  #marked(message: Spoken): string {
    const wire = wireMessage(message, this.#mustBeSigned);
    return wire ? wireText(withCacheMark(wire)) : '';
  }

  #system(messages: readonly Message[]): string | undefined {
    const blocks = messages.flatMap((message) =>
      message.role === 'system' && message.content.trim() !== ''
        ? [{ type: 'text', text: message.content }]
        : [],
    );
    return blocks.length === 0 ? undefined : wireText(this.#markLast(blocks));
  }

  #tools(tools: readonly Tool[]): string {
    const wire = tools.map(({ name, description, parameters }) => ({
      name,
      ...(description === '' ? {} : { description }),
      input_schema: wireParameters(parameters),
    }));
    return wireText(this.#markLast(wire));
  }

  #markLast(items: readonly JsonObject[]): readonly JsonObject[] {
    const last = items.at(-1);
    return last && this.settings.cache ? [...items.slice(0, -1), { ...last, ...CACHE_MARK }] : items;
  }
}

/**
 * Where it was asked last, and the time before: the new mark is what the next turn reads, the old one is what this turn
 * reads, which the API would not find by itself behind a long list of results.
 */
function lastAsked(messages: readonly Message[]): readonly number[] {
  const last = messages.findLastIndex(isAsked);
  const before = messages.findLastIndex((message, place) => place < last && isAsked(message));
  return [last, before];
}

function isAsked({ role }: Message): boolean {
  return role === 'user' || role === 'tool';
}

/** It refuses thoughts that it did not sign, as another server's may be; that server may want them back. */
function isAnthropicItself(baseUrl: string): boolean {
  return /(?:^|\.)anthropic\.com$/.test(new URL(baseUrl).hostname);
}

/** As much as the model can write at once: a smaller number cuts off whoever writes a long file. */
function defaultMaxTokens(model: string): number {
  if (/^claude-3-5-/.test(model)) return 8_192;
  return /^claude-(?:2|instant|3-(?:opus|sonnet|haiku))/.test(model) ? 4_096 : 32_000;
}
