const LENGTH = 64;
/** So much may gather before the oldest is let go: cutting at every piece would cost more than the piece. */
const MAX_GATHERED = 512;

/** The last characters before the view's text, for questions about what precedes a place. */
export class Lookback {
  #tail = '';
  #passed = 0;

  /** Takes the text up to `end` as passed. */
  pass(text: string, end: number): void {
    if (end === 0) return;
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

  /** Whether a single backtick precedes this place: a mark behind one is quoted, not used. */
  isQuoted(text: string, index: number): boolean {
    const before = this.#before(text, index);
    return before.endsWith('`') && !before.endsWith('``');
  }

  #before(text: string, index: number): string {
    if (index >= LENGTH) return text.slice(index - LENGTH, index);
    return (this.#tail + text.slice(0, index)).slice(-LENGTH);
  }
}
