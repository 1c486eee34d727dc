import { endingOf, objectOf, objectsOf, stringOf } from '../formats/wire-values.js';
import { own } from '../json/own.js';
import type { JsonObject } from '../types.js';
import type { EventProtocol, EventReader, EventSink } from './event-reader.js';
import type { OpenCall } from './open-call.js';
import { PartialArguments } from './partial-arguments.js';

/** Each event is a whole body with the next parts; arguments may come in parts of their own. */
export const GEMINI_EVENTS: EventProtocol = {
  isEvent: (event) =>
    objectsOf(event, 'candidates').some(isCandidate) ||
    (own(event, 'candidates') === undefined && objectOf(event, 'promptFeedback') !== undefined),
  open: () => new GeminiReader(),
  isOpenEnded: true,
};

/** Other JSON has candidates as well. */
function isCandidate(candidate: JsonObject): boolean {
  return objectOf(candidate, 'content') !== undefined || stringOf(candidate, 'finishReason') !== undefined;
}

/** The call whose arguments are still coming. */
interface Growing {
  readonly call: OpenCall;
  readonly parts: PartialArguments;
}

class GeminiReader implements EventReader {
  #open: Growing | undefined;

  read(event: JsonObject, sink: EventSink): void {
    const blocked = stringOf(objectOf(event, 'promptFeedback'), 'blockReason');
    if (blocked) sink.problem('provider-refused', `The provider blocked the prompt: ${blocked}.`);
    const [candidate] = objectsOf(event, 'candidates');
    if (!candidate) return;
    const content = objectOf(candidate, 'content');
    for (const part of content ? objectsOf(content, 'parts') : []) this.#readPart(part, sink);
    this.#readEnd(candidate, sink);
  }

  end(): void {
    this.#stop(false);
  }

  #readPart(part: JsonObject, sink: EventSink): void {
    if (own(part, 'thought') !== true) sink.text(stringOf(part, 'text') ?? '');
    const call = objectOf(part, 'functionCall');
    if (call) this.#readCall(call, sink);
  }

  #readCall(call: JsonObject, sink: EventSink): void {
    const name = stringOf(call, 'name');
    // A name begins a call; the last one is whole then, whether or not it was ended.
    if (name !== undefined) this.#stop();
    const open = this.#open ?? this.#begin(call, name, sink);
    if (!open) return;
    open.call.replace(own(call, 'args'));
    for (const part of objectsOf(call, 'partialArgs')) open.call.tell(open.parts.add(part));
    if (own(call, 'willContinue') !== true) this.#stop();
  }

  #begin(call: JsonObject, name: string | undefined, sink: EventSink): Growing | undefined {
    if (name === undefined) return undefined;
    this.#open = { call: sink.open({ name, id: stringOf(call, 'id') }), parts: new PartialArguments() };
    return this.#open;
  }

  #stop(isWhole = true): void {
    const open = this.#open;
    this.#open = undefined;
    if (!open) return;
    const { call, parts } = open;
    call.tell(isWhole ? parts.close() : '');
    if (!parts.isEmpty) call.replace(parts.build());
    else if (isWhole && !call.hasArguments) call.replace({});
    if (parts.isDoubtful) call.doubt();
    if (isWhole) call.stop();
  }

  #readEnd(candidate: JsonObject, sink: EventSink): void {
    const reason = stringOf(candidate, 'finishReason');
    if (reason === undefined) return;
    if (/MALFORMED_FUNCTION_CALL|UNEXPECTED_TOOL_CALL|TOO_MANY_TOOL_CALLS/.test(reason)) {
      const message = stringOf(candidate, 'finishMessage') ?? reason;
      sink.problem('call-unreadable', `The provider could not read a call of the model: ${message}`);
    }
    const ending = endingOf(reason) ?? 'whole';
    this.#stop(ending === 'whole');
    sink.finish(ending);
  }
}
