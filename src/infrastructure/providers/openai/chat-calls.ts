import { isJsonObject, type JsonObject } from '../../../domain/json.js';
import { parseJson } from '../../../domain/parse-json.js';
import { isNoArguments, textOf } from '../http/call-values.js';
import { CallText } from './call-text.js';
import { functionOf } from './chat-messages.js';

/** A call while its pieces come. */
interface OpenCall {
  readonly index: number | undefined;
  readonly start: JsonObject;
  readonly id: string;
  name: string;
  readonly text: CallText;
}

/** The calls of a message, put together from the pieces of its chunks. */
export class ChatCalls {
  readonly #calls: OpenCall[] = [];

  grow(piece: JsonObject): void {
    const { name, arguments: args } = functionOf(piece);
    const text = isJsonObject(args) ? JSON.stringify(args) : textOf(args);
    const call = this.#callOf(piece, text) ?? this.#open(piece);
    call.text.push(text);
    // Some servers give a call its name only after its id.
    call.name ||= textOf(name);
  }

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  /** Whether the last call has all its arguments, as far as their text shows it. */
  get isLastWhole(): boolean {
    const args = String(this.#calls.at(-1)?.text ?? '');
    return isNoArguments(args) || isJsonObject(parseJson(args));
  }

  /** The calls as they would be in a message that came at once. */
  list(): readonly JsonObject[] {
    return this.#calls.map(({ start, id, name, text }) => ({
      ...start,
      ...(id === '' ? {} : { id }),
      type: 'function',
      function: { name, arguments: String(text) },
    }));
  }

  /** By its index. Servers give all calls the same one, or none: then what begins anew is another call. */
  #callOf(piece: JsonObject, text: string): OpenCall | undefined {
    const { index } = piece;
    const isPlaced = typeof index === 'number';
    const known = isPlaced ? this.#calls.findLast((call) => call.index === index) : this.#calls.at(-1);
    const isOther = known === undefined || beginsAnew(piece, known, text);
    const isNamedAgain = !isPlaced && textOf(functionOf(piece).name) !== '';
    return isOther || isNamedAgain ? undefined : known;
  }

  #open({ index, function: _function, ...start }: JsonObject): OpenCall {
    const place = typeof index === 'number' ? index : undefined;
    const call = { index: place, start, id: textOf(start.id), name: '', text: new CallText() };
    this.#calls.push(call);
    return call;
  }
}

/** Another id, another name, or an object behind one that is whole. The same name alone is only said again. */
function beginsAnew(piece: JsonObject, known: OpenCall, text: string): boolean {
  const [id, name] = [textOf(piece.id), textOf(functionOf(piece).name)];
  if (id !== '') return id !== known.id;
  if (name !== '' && known.name !== '' && name !== known.name) return true;
  return text.trimStart().startsWith('{') && known.text.isWholeObject;
}
