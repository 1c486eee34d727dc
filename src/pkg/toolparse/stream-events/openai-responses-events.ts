import { endingOf, keyOf, objectOf, objectsOf, stringOf } from '../formats/wire-values.js';
import { own } from '../json/own.js';
import type { JsonObject } from '../types.js';
import type { EventProtocol, EventReader, EventSink } from './event-reader.js';
import type { OpenCall } from './open-call.js';

/** `response.*` events. Hosted tools' items are the provider's own business. */
export const RESPONSES_EVENTS: EventProtocol = {
  isEvent: (event) => stringOf(event, 'type')?.startsWith('response.') ?? false,
  open: () => new ResponsesReader(),
};

class ResponsesReader implements EventReader {
  readonly #calls = new Map<string | number, OpenCall>();
  readonly #callIds = new Set<string>();
  /** The messages that have told their text; the same text comes again when they are done. */
  readonly #told = new Set<string | number>();

  read(event: JsonObject, sink: EventSink): void {
    const type = stringOf(event, 'type') ?? '';
    if (/\.(?:function_call_arguments|custom_tool_call_input)\./.test(type)) this.#readArguments(event, type);
    else if (/\.(?:output_text|refusal)\./.test(type)) this.#readText(event, type, sink);
    else if (type.startsWith('response.output_item.')) this.#readItem(event, type.endsWith('.done'), sink);
    else if (/^response\.(?:completed|incomplete|failed|cancelled|done)$/.test(type))
      this.#readEnd(event, type, sink);
  }

  /** The `.done` event tells the whole of the arguments again. */
  #readArguments(event: JsonObject, type: string): void {
    const call = this.#calls.get(keyOfEvent(event));
    if (!call) return;
    call.describe({ name: stringOf(event, 'name') });
    if (type.endsWith('.delta')) call.append(stringOf(event, 'delta') ?? '');
    else call.replace(own(event, 'arguments') ?? own(event, 'input'));
  }

  #readText(event: JsonObject, type: string, sink: EventSink): void {
    const key = keyOfEvent(event);
    if (type.endsWith('.delta')) {
      this.#told.add(key);
      sink.text(stringOf(event, 'delta') ?? '');
    } else if (!this.#told.has(key)) {
      this.#told.add(key);
      sink.text(stringOf(event, 'text') ?? stringOf(event, 'refusal') ?? '');
    }
  }

  #readItem(event: JsonObject, isDone: boolean, sink: EventSink): void {
    const item = objectOf(event, 'item');
    if (!item) return;
    const key = keyOf(event, 'output_index') ?? keyOf(item, 'id') ?? '';
    if (isCall(item)) this.#readCall(key, item, sink);
    if (!isDone) return;
    if (own(item, 'type') === 'message') this.#readMessage(key, item, sink);
    // An item that is done may still be cut: then it says so itself.
    if (endingOf(stringOf(item, 'status') ?? 'completed') === 'whole') this.#calls.get(key)?.stop();
  }

  #readCall(key: string | number, item: JsonObject, sink: EventSink): void {
    const isRaw = own(item, 'type') === 'custom_tool_call';
    const id = stringOf(item, 'call_id') ?? stringOf(item, 'id');
    const name = stringOf(item, 'name');
    const known = this.#calls.get(key);
    const call = known ?? sink.open({ name, id, isRaw });
    known?.describe({ name, id });
    if (id !== undefined) this.#callIds.add(id);
    this.#calls.set(key, call);
    // Some events name the item by its id alone.
    this.#calls.set(keyOf(item, 'id') ?? key, call);
    const whole = own(item, isRaw ? 'input' : 'arguments');
    if (whole !== '') call.replace(whole);
  }

  #readMessage(key: string | number, item: JsonObject, sink: EventSink): void {
    if (this.#told.has(key)) return;
    this.#told.add(key);
    for (const part of objectsOf(item, 'content'))
      sink.text(stringOf(part, 'text') ?? stringOf(part, 'refusal') ?? '');
  }

  /** The last event holds the whole response: what no event has told is told now. */
  #readEnd(event: JsonObject, type: string, sink: EventSink): void {
    const response = objectOf(event, 'response');
    const items = response ? objectsOf(response, 'output') : [];
    for (const [index, item] of items.entries()) {
      const id = stringOf(item, 'call_id') ?? stringOf(item, 'id');
      const isTold = id !== undefined && this.#callIds.has(id);
      if (!isTold) this.#readItem({ output_index: index, item }, true, sink);
    }
    const message = stringOf(objectOf(response, 'error'), 'message');
    if (message) sink.problem('provider-error', `The provider reports an error: ${message}`);
    sink.finish(endingOf(stringOf(response, 'status') ?? type.slice('response.'.length)) ?? 'whole');
  }
}

function isCall(item: JsonObject): boolean {
  const type = own(item, 'type');
  return type === 'function_call' || type === 'custom_tool_call';
}

function keyOfEvent(event: JsonObject): string | number {
  return keyOf(event, 'output_index') ?? keyOf(event, 'item_id') ?? '';
}
