import type { IncomingMessage } from 'node:http';
import { isJsonObject } from '../../domain/json.js';
import type { Refusal } from './http-guard.js';

const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** What a client has posted, or why it is not taken. */
export type Posted = { readonly body: unknown; readonly refusal?: undefined } | { readonly refusal: Refusal };

export async function readPosted(request: IncomingMessage): Promise<Posted> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES)
      return { refusal: { status: 413, message: `a body ends at ${MAX_BODY_BYTES} bytes` } };
    chunks.push(chunk);
  }
  try {
    return { body: JSON.parse(Buffer.concat(chunks, length).toString('utf8')) };
  } catch {
    return { refusal: { status: 400, message: 'the body is no JSON' } };
  }
}

/**
 * The ids of requests that a session is answering. Two requests with one id, from a client that is confused or from two
 * that share a session, would get each other's answers; the later one is turned away.
 */
export class RequestsUnderWay {
  readonly #ids = new Set<unknown>();

  /** A function that lets the ids go, or nothing if one of them is taken. */
  take(body: unknown): (() => void) | undefined {
    const ids = idsIn(body);
    const isTaken = new Set(ids).size < ids.length || ids.some((id) => this.#ids.has(id));
    if (isTaken) return undefined;
    for (const id of ids) this.#ids.add(id);
    return () => {
      for (const id of ids) this.#ids.delete(id);
    };
  }
}

/** Of requests only: a notification has none, and an answer has that of a question of ours. */
function idsIn(body: unknown): readonly unknown[] {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  return messages.flatMap((message) =>
    isJsonObject(message) && message.method !== undefined && message.id !== undefined ? [message.id] : [],
  );
}
