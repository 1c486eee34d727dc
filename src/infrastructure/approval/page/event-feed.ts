import type { ServerResponse } from 'node:http';
import type { Json } from '../../../domain/json.js';

/** A reader that lets this much pile up is not reading; it may come back and begin anew. */
const MOST_BYTES_BEHIND = 8 * 1024 * 1024;
const HEARTBEAT_MS = 15_000;

/** Server-sent events, to everybody who listens. Nobody's slowness costs the others anything. */
export class EventFeed {
  readonly #readers = new Set<ServerResponse>();
  #heartbeat: ReturnType<typeof setInterval> | undefined;

  /** Adds a reader, who is first told how things stand. */
  add(response: ServerResponse, first: { readonly event: string; readonly data: Json }): void {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    this.#readers.add(response);
    response.on('close', () => this.#remove(response));
    // Silence would look the same as a connection that is gone.
    this.#heartbeat ??= setInterval(() => this.#write(': \n\n'), HEARTBEAT_MS).unref();
    response.write(eventText(first.event, first.data));
  }

  send(event: string, data: Json): void {
    if (this.#readers.size > 0) this.#write(eventText(event, data));
  }

  /** Says one last thing and lets everybody go. */
  end(event: string, data: Json): void {
    for (const reader of this.#readers) reader.end(eventText(event, data));
  }

  #write(text: string): void {
    for (const reader of this.#readers) {
      if (reader.writableLength > MOST_BYTES_BEHIND) reader.destroy();
      else reader.write(text);
    }
  }

  #remove(response: ServerResponse): void {
    this.#readers.delete(response);
    if (this.#readers.size > 0) return;
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
  }
}

/** JSON has no raw line feeds, so one line holds it. */
function eventText(event: string, data: Json): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
