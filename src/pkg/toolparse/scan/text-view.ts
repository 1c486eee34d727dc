/** The part of the response at hand. Offsets are absolute: `base` is that of `text[0]`. */
export class TextView {
  #found: Map<string, { readonly from: number; readonly index: number; readonly length: number }> | undefined;

  constructor(
    readonly text: string,
    readonly base: number,
    /** Whether nothing follows. */
    readonly final: boolean,
  ) {}

  get end(): number {
    return this.base + this.text.length;
  }

  /**
   * The index in `text` of the next `mark`, or -1. An answer is remembered: a thousand blocks that look for a mark that
   * is not there must not search the rest of the text a thousand times.
   */
  find(mark: string, from: number): number {
    const known = this.#found?.get(mark);
    if (known && known.from <= from && (known.index < 0 || known.index >= from)) return known.index;
    const index = this.text.indexOf(mark, from);
    this.#found ??= new Map();
    this.#found.set(mark, { from, index, length: mark.length });
    return index;
  }

  /** The same for a global pattern: the index of what it matches next, and its length. */
  search(pattern: RegExp, from: number): { readonly index: number; readonly length: number } {
    const known = this.#found?.get(pattern.source);
    if (known && known.from <= from && (known.index < 0 || known.index >= from)) return known;
    pattern.lastIndex = from;
    const match = pattern.exec(this.text);
    const found = { from, index: match?.index ?? -1, length: match?.[0].length ?? 0 };
    this.#found ??= new Map();
    this.#found.set(pattern.source, found);
    return found;
  }
}

/** Whether `text` from `at` on could grow into `mark`, or is it. */
export function couldBe(mark: string, text: string, at: number): boolean {
  return text.length - at < mark.length ? mark.startsWith(text.slice(at)) : text.startsWith(mark, at);
}
