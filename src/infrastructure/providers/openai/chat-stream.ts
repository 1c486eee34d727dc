import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.js';
import type { AgentReply } from '../../../ports/agent-provider.js';
import { objectsOf, textOf } from '../http/call-values.js';
import type { StreamReader } from '../http/model-client.js';
import { badReply } from '../http/provider-error.js';
import { ChatCalls } from './chat-calls.js';
import { contentText, replyOf, throwReported } from './chat-reply.js';

/** Puts a message together from chunks, so that it is the same as one that came at once. */
export class ChatStream implements StreamReader<AgentReply> {
  readonly #content: string[] = [];
  readonly #texts = new Map<string, string[]>();
  readonly #lists = new Map<string, Json[]>();
  readonly #calls = new ChatCalls();
  #hasDeltas = false;
  #reason = '';
  #usage: Json | undefined;

  constructor(private readonly onText: (delta: string) => void) {}

  /** Never the last by itself: the usage may come behind the end, and `[DONE]` behind that. */
  take(event: JsonObject): boolean {
    throwReported(event);
    if (isJsonObject(event.usage)) this.#usage = event.usage;
    const [choice] = objectsOf(event.choices);
    if (!choice || (typeof choice.index === 'number' && choice.index > 0)) return false;
    throwReported(choice);
    this.#takeChoice(choice);
    return false;
  }

  get isWhole(): boolean {
    return this.#reason !== '';
  }

  finish(isMarked: boolean): AgentReply {
    if (this.#reason === '') this.#reason = this.#likelyReason(isMarked);
    const texts = [...this.#texts].map(([key, pieces]) => [key, pieces.join('')]);
    const calls = this.#calls.list();
    const message: JsonObject = {
      role: 'assistant',
      ...Object.fromEntries([...texts, ...this.#lists]),
      content: this.#content.join(''),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    };
    return replyOf(message, this.#reason, this.#usage);
  }

  /** Some gateways write `message` for `delta`; one that says all again at the end is not heard twice. */
  #takeChoice({ delta, message, finish_reason: reason }: JsonObject): void {
    if (isJsonObject(delta)) this.#hasDeltas = true;
    const piece = this.#hasDeltas ? delta : message;
    if (isJsonObject(piece)) this.#grow(piece);
    this.#reason = textOf(reason) || this.#reason;
  }

  /** Some gateways give no reason, only the mark: then what has come is all there is, and shows whether it is whole. */
  #likelyReason(isMarked: boolean): string {
    const isEmpty = this.#calls.isEmpty && this.#content.length === 0;
    if (!isMarked || isEmpty) throw badReply('the stream ended before the reply did');
    return this.#calls.isLastWhole ? 'stop' : 'length';
  }

  #grow({ role: _role, content, tool_calls: calls, function_call: legacy, ...delta }: JsonObject): void {
    this.#say(contentText(content));
    // Texts grow by pieces (reasoning under its many names), lists by items.
    for (const [key, value] of Object.entries(delta)) {
      if (typeof value === 'string') addTo(this.#texts, key, [value]);
      else if (Array.isArray(value)) addTo(this.#lists, key, value as readonly Json[]);
    }
    for (const call of objectsOf(calls)) this.#calls.grow(call);
    if (isJsonObject(legacy)) this.#calls.grow({ index: 0, function: legacy });
  }

  #say(text: string): void {
    if (text === '') return;
    this.#content.push(text);
    this.onText(text);
  }
}

function addTo<T>(map: Map<string, T[]>, key: string, items: readonly T[]): void {
  const list = map.get(key) ?? [];
  map.set(key, list);
  for (const item of items) list.push(item);
}
