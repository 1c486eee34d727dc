import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.js';
import { parseJson } from '../../../domain/parse-json.js';
import type { AgentReply } from '../../../ports/agent-provider.js';
import { objectsOf, textOf } from '../http/call-values.js';
import { failureOfBody } from '../http/error-body.js';
import type { StreamReader } from '../http/model-client.js';
import { badReply } from '../http/provider-error.js';
import { functionOf } from './chat-messages.js';
import { replyOf } from './chat-reply.js';

/** A call while its pieces come. */
interface OpenCall {
  readonly index: number | undefined;
  readonly start: JsonObject;
  readonly id: string;
  name: string;
  readonly pieces: string[];
}

/** Puts a message together from chunks, so that it is the same as one that came at once. */
export class ChatStream implements StreamReader<AgentReply> {
  readonly #texts = new Map<string, string[]>();
  readonly #lists = new Map<string, Json[]>();
  readonly #calls: OpenCall[] = [];
  #reason = '';
  #usage: Json | undefined;

  constructor(private readonly onText: (delta: string) => void) {}

  /** Never the last by itself: the usage may come behind the end, and `[DONE]` behind that. */
  take(event: JsonObject): boolean {
    if (event.error !== undefined && event.error !== null) throw failureOfBody(event);
    if (isJsonObject(event.usage)) this.#usage = event.usage;
    const [choice] = objectsOf(event.choices);
    if (!choice || (typeof choice.index === 'number' && choice.index > 0)) return false;
    if (isJsonObject(choice.delta)) this.#grow(choice.delta);
    this.#reason = textOf(choice.finish_reason) || this.#reason;
    return false;
  }

  finish(isMarked: boolean): AgentReply {
    if (this.#reason === '') this.#reason = this.#likelyReason(isMarked);
    const texts = [...this.#texts].map(([key, pieces]) => [key, pieces.join('')]);
    const calls = this.#calls.map(({ start, id, name, pieces }) => ({
      ...start,
      ...(id === '' ? {} : { id }),
      type: 'function',
      function: { name, arguments: pieces.join('') },
    }));
    const message: JsonObject = {
      role: 'assistant',
      content: '',
      ...Object.fromEntries([...texts, ...this.#lists]),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    };
    return replyOf(message, this.#reason, this.#usage);
  }

  /** Some gateways give no reason, only the mark: then what has come is all there is, and shows whether it is whole. */
  #likelyReason(isMarked: boolean): string {
    const isEmpty = this.#calls.length === 0 && !this.#texts.get('content')?.some((text) => text !== '');
    if (!isMarked || isEmpty) throw badReply('the stream ended before the reply did');
    const args = this.#calls.at(-1)?.pieces.join('').trim() ?? '';
    return args === '' || isJsonObject(parseJson(args)) ? 'stop' : 'length';
  }

  #grow({ role: _role, tool_calls: calls, function_call: legacy, ...delta }: JsonObject): void {
    // Texts grow by pieces (content, and reasoning under its many names), lists by items.
    for (const [key, value] of Object.entries(delta)) {
      if (typeof value === 'string') addTo(this.#texts, key, [value]);
      else if (Array.isArray(value)) addTo(this.#lists, key, value as readonly Json[]);
    }
    if (typeof delta.content === 'string' && delta.content !== '') this.onText(delta.content);
    for (const call of objectsOf(calls)) this.#growCall(call);
    if (isJsonObject(legacy)) this.#growCall({ index: 0, function: legacy });
  }

  #growCall(piece: JsonObject): void {
    const { name, arguments: args } = functionOf(piece);
    const text = isJsonObject(args) ? JSON.stringify(args) : textOf(args);
    const known = this.#callOf(piece);
    if (!known) {
      this.#open(piece, textOf(name), text);
      return;
    }
    known.pieces.push(text);
    // Some servers give a call its name only after its id.
    known.name ||= textOf(name);
  }

  /** By its index. Servers give all calls the same one, or none: then another id, or a name again, is another call. */
  #callOf(piece: JsonObject): OpenCall | undefined {
    const { index, id } = piece;
    const isPlaced = typeof index === 'number';
    const known = isPlaced ? this.#calls.findLast((call) => call.index === index) : this.#calls.at(-1);
    const isOther = textOf(id) !== '' && textOf(id) !== known?.id;
    const isNamedAgain = !isPlaced && textOf(functionOf(piece).name) !== '';
    return isOther || isNamedAgain ? undefined : known;
  }

  #open({ index, function: _function, ...start }: JsonObject, name: string, text: string): void {
    const place = typeof index === 'number' ? index : undefined;
    this.#calls.push({ index: place, start, id: textOf(start.id), name, pieces: [text] });
  }
}

function addTo<T>(map: Map<string, T[]>, key: string, items: readonly T[]): void {
  const list = map.get(key) ?? [];
  map.set(key, list);
  for (const item of items) list.push(item);
}
