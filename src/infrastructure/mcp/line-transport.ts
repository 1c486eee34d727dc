import { messageOf } from '../../domain/errors.js';
import { LineSplitter } from './line-splitter.js';
import type { McpSdk } from './load-sdk.js';
import type { JSONRPCMessage, Transport } from './sdk.js';
import { clipped } from './server-said.js';

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
  readonly #lines = new LineSplitter(MAX_MESSAGE_BYTES);
  readonly #sdk: McpSdk;
  #isClosed = false;

  constructor(sdk: McpSdk, streams: LineStreams) {
    this.#streams = streams;
    this.#sdk = sdk;
  }

  async start(): Promise<void> {
    void this.#read();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.#isClosed) this.#streams.write(this.#sdk.serializeMessage(message));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }

  async #read(): Promise<void> {
    try {
      for await (const chunk of this.#streams.input) {
        if (this.#isClosed) break;
        for (const line of this.#lines.split(chunk)) this.#deliver(line);
      }
    } catch (error) {
      this.onerror?.(new Error(messageOf(error), { cause: error }));
    } finally {
      await this.close();
    }
  }

  /** A line that is no message is told of and passed over: the next may be one. */
  #deliver(line: string): void {
    try {
      this.onmessage?.(this.#sdk.deserializeMessage(line));
    } catch (error) {
      this.onerror?.(new Error(`not a message: ${clipped(messageOf(error))}`, { cause: error }));
    }
  }
}
