import { endingOf, joinText, objectOf, objectsOf, stringOf } from '../formats/wire-values.js';
import { own } from '../json/own.js';
import type { JsonObject } from '../types.js';
import type { EventProtocol, EventReader, EventSink } from './event-reader.js';

/** One message a line, each with whole calls, up to the one that is `done`. */
export const OLLAMA_EVENTS: EventProtocol = {
  isEvent: (event) =>
    own(event, 'done') === false &&
    (objectOf(event, 'message') !== undefined || typeof own(event, 'response') === 'string'),
  open: () => new OllamaReader(),
};

class OllamaReader implements EventReader {
  read(event: JsonObject, sink: EventSink): void {
    const message = objectOf(event, 'message');
    sink.text(joinText(message ? own(message, 'content') : own(event, 'response')));
    for (const item of message ? objectsOf(message, 'tool_calls') : []) {
      const call = objectOf(item, 'function') ?? {};
      const open = sink.open({
        name: stringOf(call, 'name'),
        id: stringOf(item, 'id') ?? stringOf(call, 'id'),
      });
      open.replace(own(call, 'arguments') ?? {});
      open.stop();
    }
    if (own(event, 'done') === true) sink.finish(endingOf(stringOf(event, 'done_reason')) ?? 'whole');
  }
}
