import { type Block, Collector } from '../scan/collector.js';
import type { Plan } from '../scan/plan.js';
import { Scanner } from '../scan/scanner.js';
import type { ParseOptions, StreamEvent } from '../types.js';

/**
 * The text that a stream's events carry. A provider that did not see the model's calls leaves them in it, so it is
 * searched; but a provider that lists calls has seen them all, and what looks like one in its text is text. Which of
 * the two it is may show late: from the first call in the text on, nothing is told until it does.
 */
export class ContentText {
  readonly #collector: Collector;
  readonly #inner: Collector;
  readonly #scanner: Scanner;
  readonly #pieces: string[] = [];
  #told = 0;
  #held: StreamEvent[] = [];
  #isSearched = true;

  constructor(plan: Plan, options: ParseOptions, collector: Collector) {
    this.#collector = collector;
    this.#inner = new Collector(options, true);
    this.#scanner = new Scanner({ ...plan, document: undefined }, this.#inner);
  }

  push(text: string): void {
    if (!this.#isSearched) {
      this.#say(text);
      return;
    }
    this.#pieces.push(text);
    this.#inner.body(() => this.#scanner.push(text));
    this.#forward();
  }

  /** The provider lists calls: all of the text is text. */
  settle(): void {
    if (!this.#isSearched) return;
    this.#isSearched = false;
    this.#say(this.#pieces.join('').slice(this.#told));
    this.#pieces.length = 0;
  }

  /** The stream, which lies at `within` in the response, has ended. */
  end(within: Block): void {
    if (!this.#isSearched) return;
    this.#inner.body(() => this.#scanner.end());
    this.#forward();
    this.#collector.adopt(this.#inner.result(), this.#held, within);
  }

  #forward(): void {
    for (const event of this.#inner.takeEvents()) {
      if (event.type !== 'text-delta' || this.#held.length > 0) this.#held.push(event);
      else {
        this.#told += event.text.length;
        this.#say(event.text);
      }
    }
  }

  #say(text: string): void {
    this.#collector.body(() => this.#collector.text(text));
  }
}
