/** A line without its line break. Offsets are those of the response. */
export interface Line {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const BREAK = /\r\n|\n|\r/g;

/** Cuts text into lines as it arrives. A line that comes in many pieces is searched once and joined once. */
export class LineSplitter {
  #rest = '';
  #carriageReturn = '';
  #start: number;

  /** `start` is the offset of the first line. */
  constructor(start: number) {
    this.#start = start;
  }

  push(chunk: string): Line[] {
    const text = this.#carriageReturn + chunk;
    // The line feed that belongs to a carriage return may be in the next piece.
    this.#carriageReturn = text.endsWith('\r') ? '\r' : '';
    return this.#split(this.#carriageReturn === '' ? text : text.slice(0, -1));
  }

  /** The lines that are left; the last one may have been cut off. */
  end(): Line[] {
    const lines = this.#split(this.#carriageReturn);
    if (this.#rest !== '') lines.push(this.#take(''));
    return lines;
  }

  #split(text: string): Line[] {
    const lines: Line[] = [];
    let from = 0;
    BREAK.lastIndex = 0;
    for (let found = BREAK.exec(text); found; found = BREAK.exec(text)) {
      const line = this.#take(text.slice(from, found.index));
      lines.push(line);
      from = found.index + found[0].length;
      this.#start = line.end + found[0].length;
    }
    this.#rest += text.slice(from);
    return lines;
  }

  #take(tail: string): Line {
    const text = this.#rest + tail;
    this.#rest = '';
    return { text, start: this.#start, end: this.#start + text.length };
  }
}
