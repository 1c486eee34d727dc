import { messageOf } from '../../domain/errors.js';
import { LineSplitter } from './line-splitter.js';
import type { McpSdk } from './load-sdk.js';
import type { JSONRPCMessage, Transport } from './sdk.js';

/** Two directions of bytes: what comes in, and a way to send. */
export interface LineStreams {
  readonly input: AsyncIterable<Uint8Array>;
  readonly write: (text: string) => void;
  /** How long after the end of the input answers that are still owed may be sent; not at all if left out. */
  readonly lingerMs?: number;
}

/** A message longer than this is no message; the peer is sent away. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

const MAX_SHOWN = 120;

/** MCP over a pair of streams, one message a line. Closes when the input ends. */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #streams: LineStreams;
  readonly #lines = new LineSplitter(MAX_MESSAGE_BYTES);
  readonly #sdk: McpSdk;
  /** Requests of the peer that have no answer yet. */
  readonly #owed = new Set<unknown>();
  #isClosed = false;
  #settled: () => void = () => undefined;

  constructor(sdk: McpSdk, streams: LineStreams) {
    this.#streams = streams;
    this.#sdk = sdk;
  }

  async start(): Promise<void> {
    void this.#read();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.#isClosed) this.#streams.write(this.#sdk.serializeMessage(message));
    if (!('method' in message)) this.#settle(message.id);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#settled();
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
      await this.#linger();
      await this.close();
    }
  }

  /** Whoever pipes requests in has nothing more to say, but waits for what was asked. */
  async #linger(): Promise<void> {
    const { lingerMs = 0 } = this.#streams;
    if (lingerMs === 0 || this.#owed.size === 0 || this.#isClosed) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, lingerMs);
      this.#settled = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #settle(id: unknown): void {
    this.#owed.delete(id);
    if (this.#owed.size === 0) this.#settled();
  }

  /** A line that is no message is told of and passed over: the next may be one. */
  #deliver(line: string): void {
    try {
      const message = this.#sdk.deserializeMessage(line);
      if ('method' in message && 'id' in message) this.#owed.add(message.id);
      this.onmessage?.(message);
      // One that the peer has taken back is answered no more.
      if ('method' in message && message.method === 'notifications/cancelled')
        this.#settle(message.params?.requestId);
    } catch (error) {
      this.onerror?.(new Error(`not a message: ${beginning(line)}`, { cause: error }));
    }
  }
}

/** Enough to know it by; what a validator has to say about it is longer than the line. */
function beginning(line: string): string {
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line;
}
