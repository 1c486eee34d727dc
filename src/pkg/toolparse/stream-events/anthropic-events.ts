import { endingOf, keyOf, objectOf, stringOf } from '../formats/wire-values.js';
import { own } from '../json/own.js';
import type { JsonObject } from '../types.js';
import type { EventProtocol, EventReader, EventSink } from './event-reader.js';
import type { OpenCall } from './open-call.js';

const TYPES = /^(?:message_(?:start|delta|stop)|content_block_(?:start|delta|stop))$/;

/** `content_block_*` events, the arguments as `input_json_delta`. */
export const ANTHROPIC_EVENTS: EventProtocol = {
  isEvent: (event) => TYPES.test(stringOf(event, 'type') ?? ''),
  open: () => new AnthropicReader(),
};

class AnthropicReader implements EventReader {
  readonly #calls = new Map<string | number, OpenCall>();

  read(event: JsonObject, sink: EventSink): void {
    const key = keyOf(event, 'index') ?? 0;
    const type = own(event, 'type');
    if (type === 'content_block_start') this.#start(key, objectOf(event, 'content_block') ?? {}, sink);
    else if (type === 'content_block_delta') this.#delta(key, objectOf(event, 'delta') ?? {}, sink);
    else if (type === 'content_block_stop') this.#calls.get(key)?.stop();
    else if (type === 'message_delta') this.#end(objectOf(event, 'delta'), sink);
    else if (type === 'message_stop') sink.finish('whole');
  }

  #start(key: string | number, block: JsonObject, sink: EventSink): void {
    this.#calls.delete(key);
    if (own(block, 'type') === 'text') sink.text(stringOf(block, 'text') ?? '');
    if (own(block, 'type') !== 'tool_use') return;
    const call = sink.open({ name: stringOf(block, 'name'), id: stringOf(block, 'id') });
    this.#calls.set(key, call);
    const input = own(block, 'input');
    if (typeof input === 'string') call.append(input);
    const whole = objectOf(block, 'input');
    // Usually it is empty, which says nothing: the arguments follow.
    if (whole && Object.keys(whole).length > 0) call.suggest(whole);
  }

  #delta(key: string | number, delta: JsonObject, sink: EventSink): void {
    if (own(delta, 'type') === 'text_delta') sink.text(stringOf(delta, 'text') ?? '');
    if (own(delta, 'type') !== 'input_json_delta') return;
    this.#calls.get(key)?.append(stringOf(delta, 'partial_json') ?? '');
  }

  #end(delta: JsonObject | undefined, sink: EventSink): void {
    const ending = endingOf(stringOf(delta, 'stop_reason'));
    if (ending) sink.finish(ending);
  }
}
