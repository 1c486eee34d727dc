/** Follows a text piece by piece and knows whether it stands inside a string, where marks do not count. */
export interface Tracker {
  walk(text: string, from: number, to: number): void;
  readonly inString: boolean;
}

/** Strings between two marks of the format's own. */
export class QuoteTracker implements Tracker {
  #isOpen = false;
  /** The end of what was seen, which may be the beginning of a mark. */
  #tail = '';

  constructor(readonly quote: string) {}

  get inString(): boolean {
    return this.#isOpen;
  }

  walk(text: string, from: number, to: number): void {
    const seen = this.#tail + text.slice(from, to);
    let at = 0;
    for (;;) {
      const next = seen.indexOf(this.quote, at);
      if (next < 0) break;
      this.#isOpen = !this.#isOpen;
      at = next + this.quote.length;
    }
    this.#tail = seen.slice(Math.max(at, seen.length - this.quote.length + 1));
  }
}
