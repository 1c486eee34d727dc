/** Remembers the last bytes of a stream in a buffer of fixed size, however long the stream is. */
export class ByteTail {
  readonly #ring: Buffer;
  #end = 0;
  #length = 0;

  constructor(capacity: number) {
    this.#ring = Buffer.allocUnsafe(capacity);
  }

  push(bytes: Buffer): void {
    const capacity = this.#ring.length;
    if (capacity === 0) return;
    const kept = bytes.length > capacity ? bytes.subarray(bytes.length - capacity) : bytes;
    const first = Math.min(kept.length, capacity - this.#end);
    kept.copy(this.#ring, this.#end, 0, first);
    kept.copy(this.#ring, 0, first);
    this.#end = (this.#end + kept.length) % capacity;
    this.#length = Math.min(capacity, this.#length + kept.length);
  }

  /** What is remembered, in order. */
  read(): Buffer {
    const start = this.#end - this.#length;
    if (start >= 0) return Buffer.from(this.#ring.subarray(start, this.#end));
    return Buffer.concat([this.#ring.subarray(start), this.#ring.subarray(0, this.#end)]);
  }
}
