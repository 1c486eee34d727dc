import { endingOf, keyOf, objectOf, stringOf } from '../formats/wire-values.js';
import { isObject, own, tryParse } from '../json/own.js';
import type { JsonObject } from '../types.js';
import { ANTHROPIC_EVENTS } from './anthropic-events.js';
import type { EventProtocol, EventReader, EventSink } from './event-reader.js';
import type { OpenCall } from './open-call.js';

const MEMBERS = ['messageStart', 'contentBlockStart', 'contentBlockDelta', 'contentBlockStop', 'messageStop'];

/** Events whose only member is their name; those of InvokeModel carry another provider's events in Base64. */
export const BEDROCK_EVENTS: EventProtocol = {
  isEvent: (event) =>
    MEMBERS.some((member) => isObject(own(event, member))) || invokedEvent(event) !== undefined,
  open: () => new BedrockReader(),
};

class BedrockReader implements EventReader {
  readonly #calls = new Map<string | number, OpenCall>();
  readonly #invoked = ANTHROPIC_EVENTS.open();

  read(event: JsonObject, sink: EventSink): void {
    if (bytesOf(event) !== undefined) this.#readInvoked(invokedEvent(event), sink);
    const start = objectOf(event, 'contentBlockStart');
    const delta = objectOf(event, 'contentBlockDelta');
    const stop = objectOf(event, 'contentBlockStop');
    if (start) this.#start(start, sink);
    if (delta) this.#delta(delta, sink);
    if (stop) this.#calls.get(indexOf(stop))?.stop();
    const ending = endingOf(stringOf(objectOf(event, 'messageStop'), 'stopReason'));
    if (ending) sink.finish(ending);
  }

  #readInvoked(inner: JsonObject | undefined, sink: EventSink): void {
    if (!inner) sink.problem('event-unreadable', 'The bytes of an event are no JSON.');
    else if (typeof own(inner, 'generation') === 'string') this.#readGeneration(inner, sink);
    else this.#invoked.read(inner, sink);
  }

  #readGeneration(inner: JsonObject, sink: EventSink): void {
    sink.text(stringOf(inner, 'generation') ?? '');
    const ending = endingOf(stringOf(inner, 'stop_reason'));
    if (ending) sink.finish(ending);
  }

  #start(start: JsonObject, sink: EventSink): void {
    const use = objectOf(objectOf(start, 'start'), 'toolUse');
    if (!use) return;
    const call = sink.open({ name: stringOf(use, 'name'), id: stringOf(use, 'toolUseId') });
    this.#calls.set(indexOf(start), call);
  }

  #delta(event: JsonObject, sink: EventSink): void {
    const delta = objectOf(event, 'delta');
    sink.text(stringOf(delta, 'text') ?? '');
    const use = objectOf(delta, 'toolUse');
    const call = this.#calls.get(indexOf(event));
    const input = use && own(use, 'input');
    if (typeof input === 'string') call?.append(input);
    else call?.replace(input);
  }
}

function indexOf(event: JsonObject): string | number {
  return keyOf(event, 'contentBlockIndex') ?? 0;
}

function bytesOf(event: JsonObject): string | undefined {
  return stringOf(objectOf(event, 'chunk') ?? event, 'bytes');
}

/** The event inside an event of InvokeModel. */
function invokedEvent(event: JsonObject): JsonObject | undefined {
  const bytes = bytesOf(event);
  const inner = bytes === undefined ? undefined : tryParse(decode(bytes));
  return isObject(inner) ? inner : undefined;
}

function decode(base64: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
  } catch {
    return '';
  }
}
