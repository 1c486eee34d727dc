import { messageOf } from '../../domain/errors.js';
import type { McpSdk } from './load-sdk.js';
import type { JSONRPCMessage, ReadBuffer, Transport } from './sdk.js';

/** Two directions of bytes: what comes in, and a way to send. */
export interface LineStreams {
  readonly input: AsyncIterable<Uint8Array>;
  readonly write: (text: string) => void;
}

/** A message longer than this is no message; the peer is sent away. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** MCP over a pair of streams, one message a line. Closes when the input ends. */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #streams: LineStreams;
  readonly #buffer: ReadBuffer;
  readonly #serialize: McpSdk['serializeMessage'];
  #isClosed = false;

  constructor({ ReadBuffer, serializeMessage }: McpSdk, streams: LineStreams) {
    this.#streams = streams;
    this.#buffer = new ReadBuffer({ maxBufferSize: MAX_MESSAGE_BYTES });
    this.#serialize = serializeMessage;
  }

  async start(): Promise<void> {
    void this.#read();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.#isClosed) this.#streams.write(this.#serialize(message));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#buffer.clear();
    this.onclose?.();
  }

  async #read(): Promise<void> {
    try {
      for await (const chunk of this.#streams.input) {
        if (this.#isClosed) break;
        this.#buffer.append(Buffer.from(chunk));
        this.#deliver();
      }
    } catch (error) {
      this.onerror?.(new Error(messageOf(error), { cause: error }));
    } finally {
      await this.close();
    }
  }

  /** A line that is no message is told of and passed over: the next may be one. */
  #deliver(): void {
    for (;;) {
      try {
        const message = this.#buffer.readMessage();
        if (message === null) return;
        this.onmessage?.(message);
      } catch (error) {
        this.onerror?.(new Error(`not a message: ${messageOf(error)}`, { cause: error }));
      }
    }
  }
}
