import type { IncomingMessage } from 'node:http';
import type { Json } from '../../../domain/json.js';
import { HttpRefusal } from './http-refusal.js';

/** Room for arguments that somebody edited. */
const MOST_BYTES = 2 * 1024 * 1024;

/** Reads a request's JSON. A form cannot send this type, so no other site can without being asked for permission. */
export async function readJsonBody(request: IncomingMessage): Promise<Json> {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/json') {
    throw new HttpRefusal(415, 'send JSON, with content-type: application/json');
  }
  if (Number(request.headers['content-length'] ?? 0) > MOST_BYTES) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return parsed(Buffer.concat(chunks));
}

function parsed(bytes: Buffer): Json {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Json;
  } catch {
    throw new HttpRefusal(400, 'that is not JSON');
  }
}

function tooLarge(): HttpRefusal {
  return new HttpRefusal(413, `an answer has at most ${MOST_BYTES} bytes`);
}
