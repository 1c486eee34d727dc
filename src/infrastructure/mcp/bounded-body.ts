/** As for a line of a server that was started: a message longer than this is no message. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];

/** What a server sends over HTTP, up to a message that is too long: the whole body, or one of its events. */
export async function* boundedBody(
  body: AsyncIterable<Uint8Array>,
  isEvents: boolean,
): AsyncGenerator<Uint8Array> {
  const event = new EventMeter();
  let total = 0;
  for await (const chunk of body) {
    total += chunk.length;
    if (isEvents) event.add(chunk);
    const length = isEvents ? event.length : total;
    if (length > MAX_MESSAGE_BYTES) throw new Error(`a message of more than ${MAX_MESSAGE_BYTES} bytes`);
    yield chunk;
  }
}

/** How long the event is that has begun and not ended. One ends with an empty line, in any of the ways to end a line. */
class EventMeter {
  length = 0;
  #isLineEmpty = true;
  #wasReturn = false;

  add(chunk: Uint8Array): void {
    for (const byte of chunk) this.#addByte(byte);
  }

  #addByte(byte: number): void {
    this.length += 1;
    const isSecondHalf = byte === LINE_FEED && this.#wasReturn;
    this.#wasReturn = byte === CARRIAGE_RETURN;
    if (isSecondHalf) return;
    const isEnd = byte === LINE_FEED || byte === CARRIAGE_RETURN;
    if (isEnd && this.#isLineEmpty) this.length = 0;
    this.#isLineEmpty = isEnd;
  }
}
