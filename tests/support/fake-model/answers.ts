import type { Json } from '../../../src/domain/json.js';
import type { Answer } from './fake-model-server.js';

/** A whole reply, or an error. */
export function json(body: Json, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** A body of any type. */
export function page(body: string, status: number, type = 'text/html'): Answer {
  return (response) => response.writeHead(status, { 'content-type': type }).end(body);
}

export function eventText(event: Json): string {
  const type = (event as { readonly type?: string }).type;
  return `${type ? `event: ${type}\n` : ''}data: ${JSON.stringify(event)}\n\n`;
}

export type StreamEnd = 'end' | 'hang' | 'reset';

/** A stream of events; `cut` leaves out so many bytes at the end of the last one. */
export function events(list: readonly Json[], end: StreamEnd = 'end', cut = 0): Answer {
  const text = list.map(eventText).join('');
  return streamOf([text.slice(0, text.length - cut)], end);
}

/** A stream of exactly these pieces, each on the wire before the next is written. */
export function streamOf(pieces: readonly (string | Uint8Array)[], end: StreamEnd = 'end'): Answer {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of pieces) {
      await new Promise((written) => response.write(piece, written));
      await new Promise((turn) => setImmediate(turn));
    }
    if (end === 'end') response.end();
    if (end === 'reset') response.socket?.resetAndDestroy();
  };
}

/** Closes the connection without a word. */
export const hangUp: Answer = (response) => response.socket?.resetAndDestroy();

/** Says nothing, and keeps the connection. */
export const silence: Answer = () => undefined;
