import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { toVisible } from '../../../domain/visible-text.js';
import { Refusal } from './refusal.js';

const MAX_HEADER_TEXT = 512;

/** Answers a request that is not passed on. */
export function respond(response: ServerResponse, refusal: Refusal): void {
  response.writeHead(refusal.status, headersOf(refusal)).end(bodyOf(refusal));
}

/** The same, on a connection that no HTTP server looks after. */
export function answer(client: Socket, refusal: Refusal): void {
  if (!client.writable) {
    client.destroy();
    return;
  }
  client.write(answerText(refusal));
  client.destroySoon();
}

/** Answers what Node's parser could not read, or would not: it might be read in two ways. */
export function answerGarbage(error: NodeJS.ErrnoException, client: Socket): void {
  // An answer may be under way already, and nothing may be mixed into it.
  if (client.bytesWritten > 0) client.destroy();
  else if (error.code === 'HPE_HEADER_OVERFLOW')
    answer(client, new Refusal(431, 'The head of the request is too long'));
  else answer(client, new Refusal(400, 'The request cannot be read, or not in one way only'));
}

function answerText(refusal: Refusal): string {
  const lines = Object.entries(headersOf(refusal)).map(([name, value]) => `${name}: ${value}`);
  const status = `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ''}`;
  return [status, ...lines, '', bodyOf(refusal)].join('\r\n');
}

function headersOf(refusal: Refusal): Record<string, string> {
  const { status, reason } = refusal;
  return {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': String(Buffer.byteLength(bodyOf(refusal))),
    ...(status === 403 ? { 'x-toolgate-denied': headerText(reason) } : {}),
    connection: 'close',
  };
}

/** A list of hosts may be long, and need not be ASCII; the body has all of it. */
function headerText(reason: string): string {
  return reason.slice(0, MAX_HEADER_TEXT).replace(/[^\x20-\x7e]/g, '?');
}

function bodyOf({ reason }: Refusal): string {
  return `toolgate: ${toVisible(reason)}\n`;
}
