import type { ModelResponse } from './model-transport.js';
import { badReply } from './provider-error.js';

export interface ReadLimits {
  /** A reply that needs more is no reply but an accident, or an attack on our memory. */
  readonly maxBytes: number;
  /** Hears of each piece that comes. */
  readonly onBytes: () => void;
}

/** The text of a response, as it comes. */
export async function* textOf(
  response: ModelResponse,
  { maxBytes, onBytes }: ReadLimits,
): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  let bytes = 0;
  for await (const chunk of response.body) {
    onBytes();
    bytes += chunk.length;
    if (bytes > maxBytes) throw badReply(`the reply has more than ${maxBytes} bytes`);
    yield decoder.decode(chunk, { stream: true });
  }
}
