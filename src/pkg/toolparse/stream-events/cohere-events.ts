import { endingOf, joinText, keyOf, objectOf, objectsOf, stringOf } from '../formats/wire-values.js';
import { isObject, own } from '../json/own.js';
import type { JsonObject } from '../types.js';
import type { EventProtocol, EventReader, EventSink } from './event-reader.js';
import type { OpenCall } from './open-call.js';

const V2_TYPES =
  /^(?:message-(?:start|end)|content-(?:start|delta|end)|tool-plan-delta|tool-call-(?:start|delta|end))$/;

/** `tool-call-*` events; each holds one call, not a list. */
export const COHERE_V2_EVENTS: EventProtocol = {
  isEvent: (event) => V2_TYPES.test(stringOf(event, 'type') ?? ''),
  open: () => new CohereReader(),
};

/** Events with an `event_type`; the calls come whole, or in pieces that the last event repeats. */
export const COHERE_V1_EVENTS: EventProtocol = {
  isEvent: (event) =>
    typeof own(event, 'is_finished') === 'boolean' && stringOf(event, 'event_type') !== undefined,
  open: () => new CohereV1Reader(),
};

class CohereReader implements EventReader {
  readonly #calls = new Map<string | number, OpenCall>();

  read(event: JsonObject, sink: EventSink): void {
    const type = stringOf(event, 'type') ?? '';
    const delta = objectOf(event, 'delta');
    const message = objectOf(delta, 'message');
    if (type.startsWith('content-')) sink.text(contentText(message));
    if (type.startsWith('tool-call-')) this.#readCall(event, objectOf(message, 'tool_calls') ?? {}, sink);
    if (type !== 'message-end') return;
    sink.finish(endingOf(stringOf(delta, 'finish_reason')) ?? 'whole');
  }

  #readCall(event: JsonObject, item: JsonObject, sink: EventSink): void {
    const key = keyOf(event, 'index') ?? 0;
    const call = objectOf(item, 'function') ?? {};
    const opening = { name: stringOf(call, 'name'), id: stringOf(item, 'id') };
    const type = own(event, 'type');
    if (type === 'tool-call-start') this.#calls.set(key, sink.open(opening));
    const known = this.#calls.get(key);
    known?.describe(opening);
    const args = own(call, 'arguments');
    if (typeof args === 'string') known?.append(args);
    else known?.replace(args);
    if (type === 'tool-call-end') known?.stop();
  }
}

/** The content is one part, or a list of them. */
function contentText(message: JsonObject | undefined): string {
  const content = message && own(message, 'content');
  return joinText(isObject(content) ? [content] : content);
}

class CohereV1Reader implements EventReader {
  readonly #calls = new Map<string | number, OpenCall>();

  read(event: JsonObject, sink: EventSink): void {
    const type = own(event, 'event_type');
    if (type === 'text-generation') sink.text(stringOf(event, 'text') ?? '');
    const piece = objectOf(event, 'tool_call_delta');
    if (type === 'tool-calls-chunk' && piece) this.#readPiece(piece, sink);
    if (type === 'tool-calls-generation') this.#readCalls(event, sink);
    if (type === 'stream-end') this.#readEnd(event, sink);
  }

  #readPiece(piece: JsonObject, sink: EventSink): void {
    const key = keyOf(piece, 'index') ?? 0;
    const name = stringOf(piece, 'name');
    const known = this.#calls.get(key);
    const call = known ?? sink.open({ name });
    known?.describe({ name });
    this.#calls.set(key, call);
    const parameters = own(piece, 'parameters');
    if (typeof parameters === 'string') call.append(parameters);
    else call.replace(parameters);
  }

  /** The whole calls; those that came in pieces are among them. */
  #readCalls(holder: JsonObject, sink: EventSink): void {
    for (const [index, item] of objectsOf(holder, 'tool_calls').entries()) {
      const opening = { name: stringOf(item, 'name'), id: stringOf(item, 'id') };
      const call = this.#calls.get(index) ?? sink.open(opening);
      this.#calls.set(index, call);
      if (!call.isStopped) call.replace(own(item, 'parameters'));
      call.stop();
    }
  }

  #readEnd(event: JsonObject, sink: EventSink): void {
    const response = objectOf(event, 'response');
    if (response) this.#readCalls(response, sink);
    sink.finish(endingOf(stringOf(event, 'finish_reason')) ?? 'whole');
  }
}
