import type { Json } from '../types.js';
import type { CallOpening, EventSink } from './event-reader.js';
import type { OpenCall } from './open-call.js';

/** One entry of `delta.tool_calls`, as far as it says anything. */
export interface ChatFragment extends CallOpening {
  readonly index: string | number | undefined;
  readonly arguments: Json | undefined;
}

/**
 * Finds the call that a fragment belongs to. The index should say so, but there are providers that leave it out, that
 * give every call the same one, that repeat the name or send it late, or that invent a new id for each fragment.
 */
export class ChatSlots {
  readonly #byIndex = new Map<string | number, OpenCall>();
  readonly #byId = new Map<string, OpenCall>();
  #last: OpenCall | undefined;

  add(fragment: ChatFragment, sink: EventSink): void {
    const known = this.#find(fragment);
    const call = known && !beginsAnother(known, fragment) ? known : sink.open(fragment);
    if (call === known) call.describe(fragment);
    this.#remember(call, fragment);
    tellArguments(call, fragment.arguments);
  }

  #find({ index, id }: ChatFragment): OpenCall | undefined {
    if (index !== undefined) return this.#byIndex.get(index);
    return id === undefined ? this.#last : this.#byId.get(id);
  }

  #remember(call: OpenCall, { index, id }: ChatFragment): void {
    if (index !== undefined) this.#byIndex.set(index, call);
    if (id !== undefined) this.#byId.set(id, call);
    this.#last = call;
  }
}

function beginsAnother(call: OpenCall, { name, id, arguments: args }: ChatFragment): boolean {
  if (name === undefined || call.name === '') return false;
  const isFull = call.isBalanced || call.hasValue;
  const isNew = id !== undefined && call.id !== undefined && id !== call.id;
  // A new id is a new call, unless the name is the same and its arguments are still being written.
  if (isNew) return isFull || !call.hasArguments || name !== call.name;
  if (name !== call.name) return true;
  return isFull && saysSomething(args) && !isAgain(call, args);
}

function saysSomething(args: Json | undefined): boolean {
  return typeof args === 'string' ? args.trim() !== '' : args !== undefined && args !== null;
}

/** Fragments are appended; what follows full arguments and is the same again was sent twice. */
function tellArguments(call: OpenCall, args: Json | undefined): void {
  if (typeof args !== 'string') call.replace(args);
  else if (!call.isBalanced || !isAgain(call, args)) call.append(args);
}

function isAgain(call: OpenCall, args: Json | undefined): boolean {
  return typeof args === 'string' && call.isText(args);
}
