import { isJsonObject, type JsonObject } from '../../../domain/json.js';

/** The items of a response as its events bring them: whole at their end or, where a gateway leaves that out, in pieces. */
export class ResponseItems {
  readonly #items = new Map<number, JsonObject>();
  readonly #pieces = new Map<number, string[]>();

  begin({ output_index: index, item }: JsonObject): void {
    if (typeof index === 'number' && isJsonObject(item)) this.#items.set(index, item);
  }

  /** A piece of the item's text, or of its arguments. */
  grow({ output_index: index, delta }: JsonObject): void {
    if (typeof index !== 'number' || typeof delta !== 'string') return;
    const pieces = this.#pieces.get(index);
    if (pieces) pieces.push(delta);
    else this.#pieces.set(index, [delta]);
  }

  /** The item as it is in the end, which makes its pieces superfluous. */
  end(event: JsonObject): void {
    this.begin(event);
    this.#pieces.delete(Number(event.output_index));
  }

  list(): readonly JsonObject[] {
    const places = [...new Set([...this.#items.keys(), ...this.#pieces.keys()])];
    return places.sort((left, right) => left - right).map((place) => this.#itemAt(place));
  }

  #itemAt(place: number): JsonObject {
    const item = this.#items.get(place) ?? { type: 'message', role: 'assistant' };
    const text = this.#pieces.get(place)?.join('');
    if (text === undefined) return item;
    const grown =
      item.type === 'function_call' ? { arguments: text } : { content: [{ type: 'output_text', text }] };
    return { ...item, ...grown, status: 'completed' };
  }
}
