const TICK = 0x60;
const LINE_BREAK = 0x0a;

/**
 * Follows text and knows whether it stands in inline code, between one or two backticks. Such code ends at as many
 * backticks, and else with its line: a backtick that stands alone must not hide the calls below it. A mark right behind
 * the backtick is quoted for certain; its code may go on to the end of the paragraph.
 */
export class InlineCode {
  /** How many backticks opened the code; 0 outside. */
  #ticks = 0;
  #isCertain = false;
  /** How many backticks stand right before this place, and which character before them. */
  #run = 0;
  #last = LINE_BREAK;

  walk(piece: string): void {
    for (let at = 0; at < piece.length; ) {
      if (piece.charCodeAt(at) === TICK) {
        this.#run += 1;
        at += 1;
        continue;
      }
      this.#settle();
      const next = piece.indexOf('`', at);
      const stop = next < 0 ? piece.length : next;
      if (this.#ticks > 0 && this.#endsWithin(piece.slice(at, stop))) this.#ticks = 0;
      this.#last = piece.charCodeAt(stop - 1);
      at = stop;
    }
  }

  /** Whether a mark that begins here is quoted. */
  quotes(): boolean {
    const isRightBehind = this.#ticks === 0 && (this.#run === 1 || this.#run === 2);
    if (!isRightBehind) this.#settle();
    else {
      this.#ticks = this.#run;
      this.#isCertain = true;
      this.#run = 0;
    }
    return this.#ticks > 0;
  }

  /** Goes on behind something that is no prose. */
  reset(): void {
    this.#ticks = 0;
    this.#run = 0;
    this.#last = LINE_BREAK;
  }

  /** Takes the run of backticks for what it is: an end, a beginning, or, behind a letter, neither. */
  #settle(): void {
    const run = this.#run;
    if (run === 0) return;
    this.#run = 0;
    if (this.#ticks > 0) {
      if (run === this.#ticks) this.#ticks = 0;
      return;
    }
    const opens = run <= 2 && !/[\p{L}\p{N}]/u.test(String.fromCharCode(this.#last));
    this.#ticks = opens ? run : 0;
    this.#isCertain = false;
  }

  #endsWithin(piece: string): boolean {
    if (!this.#isCertain) return piece.includes('\n');
    return piece.includes('\n\n') || (this.#last === LINE_BREAK && piece.startsWith('\n'));
  }
}
