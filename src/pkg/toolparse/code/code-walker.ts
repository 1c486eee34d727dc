import type { Tracker } from '../scan/tracker.js';

type Mode = 'code' | 'opening' | 'single' | 'triple';

const BACKSLASH = 0x5c;

/** Follows code piece by piece: whether it stands inside a string, and how many brackets are open. */
export class CodeWalker implements Tracker {
  depth = 0;
  #mode: Mode = 'code';
  #quote = 0;
  /** How many quotes stand in a row. */
  #run = 0;
  #isEscaped = false;

  get inString(): boolean {
    return (
      this.#mode === 'single' || this.#mode === 'triple' || (this.#mode === 'opening' && this.#run === 1)
    );
  }

  walk(text: string, from: number, to: number): void {
    for (let index = from; index < to; index += 1) this.step(text.charCodeAt(index));
  }

  step(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (this.#mode === 'code') this.#code(code);
    else if (this.#mode === 'opening') this.#opening(code);
    else this.#string(code);
  }

  #code(code: number): void {
    if (code === 0x22 || code === 0x27) {
      this.#mode = 'opening';
      this.#quote = code;
      this.#run = 1;
    } else if (code === 0x28 || code === 0x5b || code === 0x7b) this.depth += 1;
    else if (code === 0x29 || code === 0x5d || code === 0x7d) this.depth -= 1;
  }

  /** One quote opens a string, two are an empty one, three open a long one. */
  #opening(code: number): void {
    if (code === this.#quote) {
      this.#run += 1;
      if (this.#run < 3) return;
      this.#mode = 'triple';
      this.#run = 0;
      return;
    }
    this.#mode = this.#run === 1 ? 'single' : 'code';
    this.step(code);
  }

  #string(code: number): void {
    if (code === BACKSLASH) {
      this.#isEscaped = true;
      this.#run = 0;
    } else if (code !== this.#quote) this.#run = 0;
    else if (this.#mode === 'single') this.#mode = 'code';
    else {
      this.#run += 1;
      if (this.#run === 3) this.#mode = 'code';
    }
  }
}
