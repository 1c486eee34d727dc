import { InlineCode } from './inline-code.js';

const LENGTH = 64;
/** So much may gather before the oldest is let go: cutting at every piece would cost more than the piece. */
const MAX_GATHERED = 512;

/** The last characters before the view's text, for questions about what precedes a place. */
export class Lookback {
  #tail = '';
  #passed = 0;
  readonly #code = new InlineCode();
  /** The offset up to which inline code was followed. */
  #followed = 0;

  /** Takes the text up to `end` as passed. */
  pass(text: string, end: number): void {
    if (end === 0) return;
    this.#follow(text, end);
    this.#passed += end;
    this.#tail += end <= LENGTH && end === text.length ? text : text.slice(Math.max(0, end - LENGTH), end);
    if (this.#tail.length > MAX_GATHERED) this.#tail = this.#tail.slice(-LENGTH);
  }

  /** Whether only blanks stand between the start of the line and this place. */
  isLineStart(text: string, index: number): boolean {
    const before = this.#before(text, index);
    const line = before.slice(before.lastIndexOf('\n') + 1);
    const reachesBack = line.length < before.length || this.#passed + index <= LENGTH;
    return reachesBack && line.trim() === '';
  }

  /** What stands before this place on its line, as far back as is remembered. */
  line(text: string, index: number): string {
    const before = this.#before(text, index);
    return before.slice(before.lastIndexOf('\n') + 1);
  }

  /** Whether the last `count` characters are blank; more than are remembered count as not. */
  isBlank(text: string, index: number, count: number): boolean {
    const before = this.#before(text, index);
    return count <= before.length && before.slice(before.length - count).trim() === '';
  }

  /** Whether this place is in inline code: a mark there is quoted, not used. */
  isQuoted(text: string, index: number): boolean {
    this.#follow(text, index);
    return this.#code.quotes();
  }

  /** Takes what ends at this offset for a block of its own: backticks inside it quote nothing. */
  leaveBlock(offset: number): void {
    this.#followed = offset;
    this.#code.reset();
  }

  #follow(text: string, to: number): void {
    const from = this.#followed - this.#passed;
    if (from >= to) return;
    this.#code.walk(text.slice(from, to));
    this.#followed = this.#passed + to;
  }

  #before(text: string, index: number): string {
    if (index >= LENGTH) return text.slice(index - LENGTH, index);
    return (this.#tail + text.slice(0, index)).slice(-LENGTH);
  }
}
