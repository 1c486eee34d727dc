import { endingOf, joinText, keyOf, objectOf, objectsOf, stringOf } from '../formats/wire-values.js';
import { isObject, own } from '../json/own.js';
import type { JsonObject } from '../types.js';
import type { EventProtocol, EventReader, EventSink } from './event-reader.js';
import type { OpenCall } from './open-call.js';
import { ChatSlots } from './openai-chat-slots.js';

/** `choices[].delta` with pieces of `tool_calls`, or of the older `function_call`. */
export const CHAT_EVENTS: EventProtocol = {
  isEvent(event) {
    const type = own(event, 'object');
    if (type === 'chat.completion.chunk' || type === 'text_completion') return true;
    const choices = own(event, 'choices');
    if (!Array.isArray(choices)) return false;
    const [choice] = choices;
    // The first event of some has no choice yet, and the last no more.
    if (choice === undefined) return ['id', 'model', 'usage'].some((key) => own(event, key) !== undefined);
    return isObject(choice) && isObject(own(choice, 'delta'));
  },
  open: () => new ChatReader(),
};

class ChatReader implements EventReader {
  readonly #slots = new ChatSlots();
  #legacy: OpenCall | undefined;
  #choice: string | number | undefined;
  #isIgnoring = false;

  read(event: JsonObject, sink: EventSink): void {
    for (const choice of objectsOf(event, 'choices')) {
      const delta = objectOf(choice, 'delta') ?? objectOf(choice, 'message') ?? choice;
      if (!this.#isOurs(choice)) this.#ignore(delta, sink);
      else {
        this.#readDelta(delta, sink);
        const ending = endingOf(stringOf(choice, 'finish_reason'));
        if (ending) sink.finish(ending);
      }
    }
  }

  /** Choices are alternatives: the one that comes first is the reply. */
  #isOurs(choice: JsonObject): boolean {
    const index = keyOf(choice, 'index') ?? 0;
    this.#choice ??= index;
    return index === this.#choice;
  }

  #ignore(delta: JsonObject, sink: EventSink): void {
    const hasCalls = objectsOf(delta, 'tool_calls').length > 0 || objectOf(delta, 'function_call');
    if (!hasCalls || this.#isIgnoring) return;
    this.#isIgnoring = true;
    sink.problem('choice-ignored', 'Another choice holds calls as well; only those of the first one count.');
  }

  #readDelta(delta: JsonObject, sink: EventSink): void {
    sink.text(joinText(own(delta, 'content') ?? own(delta, 'refusal') ?? own(delta, 'text')));
    const items = objectsOf(delta, 'tool_calls');
    for (const [place, item] of items.entries())
      this.#readCall(item, items.length > 1 ? place : undefined, sink);
    const legacy = objectOf(delta, 'function_call');
    if (legacy) this.#readLegacy(legacy, sink);
  }

  #readCall(item: JsonObject, place: number | undefined, sink: EventSink): void {
    const id = stringOf(item, 'id');
    const custom = objectOf(item, 'custom');
    const call = custom ?? objectOf(item, 'function') ?? item;
    // Calls that come together and have nothing else to tell them apart are told apart by their place.
    const index = keyOf(item, 'index') ?? (id === undefined ? place : undefined);
    this.#slots.add(
      {
        index,
        id,
        name: stringOf(call, 'name'),
        isRaw: custom !== undefined,
        arguments: own(call, custom ? 'input' : 'arguments'),
      },
      sink,
    );
  }

  #readLegacy(call: JsonObject, sink: EventSink): void {
    const name = stringOf(call, 'name');
    if (!this.#legacy) this.#legacy = sink.open({ name, format: 'openai_chat_legacy' });
    else this.#legacy.describe({ name });
    const args = own(call, 'arguments');
    if (typeof args === 'string') this.#legacy.append(args);
    else this.#legacy.replace(args);
  }
}
