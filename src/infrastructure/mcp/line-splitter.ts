const NEWLINE = 0x0a;
const FIRST_BYTES = 4_096;

/** Lines out of chunks, each byte moved a few times at most: one that is sent byte by byte costs no more than another. */
export class LineSplitter {
  #begun = Buffer.alloc(FIRST_BYTES);
  #length = 0;

  constructor(private readonly maxBytes: number) {}

  /** The lines that end in this chunk; throws at a line that is too long, whether or not it ends. */
  *split(chunk: Uint8Array): Generator<string> {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, at));
      from = at + 1;
      yield this.#take();
    }
    this.#keep(chunk.subarray(from));
  }

  #keep(part: Uint8Array): void {
    const length = this.#length + part.length;
    if (length > this.maxBytes) throw new Error(`a message of more than ${this.maxBytes} bytes`);
    if (length > this.#begun.length) this.#grow(length);
    this.#begun.set(part, this.#length);
    this.#length = length;
  }

  #grow(length: number): void {
    const larger = Buffer.alloc(Math.max(length, this.#begun.length * 2));
    larger.set(this.#begun.subarray(0, this.#length));
    this.#begun = larger;
  }

  #take(): string {
    const line = this.#begun.toString('utf8', 0, this.#length);
    if (this.#begun.length > FIRST_BYTES) this.#begun = Buffer.alloc(FIRST_BYTES);
    this.#length = 0;
    return line.endsWith('\r') ? line.slice(0, -1) : line;
  }
}
