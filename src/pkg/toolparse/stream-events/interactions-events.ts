import { endingOf, keyOf, objectOf, stringOf } from '../formats/wire-values.js';
import { own } from '../json/own.js';
import type { JsonObject } from '../types.js';
import type { EventProtocol, EventReader, EventSink } from './event-reader.js';
import type { OpenCall } from './open-call.js';

const TYPES = /^(?:interaction\.\w+|(?:step|content)\.(?:start|delta|stop))$/;

/** `step.*` events with an index; the arguments as text in `arguments_delta`. */
export const INTERACTIONS_EVENTS: EventProtocol = {
  isEvent: (event) => TYPES.test(stringOf(event, 'event_type') ?? ''),
  open: () => new InteractionsReader(),
};

class InteractionsReader implements EventReader {
  readonly #calls = new Map<string | number, OpenCall>();

  read(event: JsonObject, sink: EventSink): void {
    const type = stringOf(event, 'event_type') ?? '';
    const key = keyOf(event, 'index') ?? 0;
    if (type.endsWith('.start'))
      this.#start(key, objectOf(event, 'step') ?? objectOf(event, 'content') ?? {}, sink);
    else if (type.endsWith('.delta')) this.#delta(key, objectOf(event, 'delta') ?? {}, sink);
    else if (type.endsWith('.stop')) this.#calls.get(key)?.stop();
    else if (/^interaction\.completed?$/.test(type)) this.#end(objectOf(event, 'interaction'), sink);
  }

  #start(key: string | number, step: JsonObject, sink: EventSink): void {
    this.#calls.delete(key);
    if (own(step, 'type') === 'function_call') this.#open(key, step, sink);
  }

  #delta(key: string | number, delta: JsonObject, sink: EventSink): void {
    const type = own(delta, 'type');
    if (type === 'text') sink.text(stringOf(delta, 'text') ?? '');
    const isCall = type === 'function_call';
    const call = this.#calls.get(key) ?? (isCall ? this.#open(key, delta, sink) : undefined);
    if (isCall) call?.replace(own(delta, 'arguments'));
    if (type === 'arguments_delta') call?.append(stringOf(delta, 'arguments') ?? '');
  }

  /** The arguments are empty at first, and count only if no text of them follows. */
  #open(key: string | number, step: JsonObject, sink: EventSink): OpenCall {
    const call = sink.open({ name: stringOf(step, 'name'), id: stringOf(step, 'id') });
    const args = objectOf(step, 'arguments');
    if (args && Object.keys(args).length > 0) call.suggest(args);
    this.#calls.set(key, call);
    return call;
  }

  #end(interaction: JsonObject | undefined, sink: EventSink): void {
    sink.finish(endingOf(stringOf(interaction, 'status')) ?? 'whole');
  }
}
