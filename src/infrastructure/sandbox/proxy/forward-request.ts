import {
  type ClientRequest,
  type IncomingMessage,
  request as openRequest,
  type ServerResponse,
} from 'node:http';
import { pipeline } from 'node:stream/promises';
import { checkMessage, forwardedHeaders, originForm, requestUrl, returnedHeaders } from './proxy-request.js';
import type { Upstream } from './upstream.js';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The host and port of the tunnel that the request came through, if it did. */
  readonly origin?: string;
  /** Checks and connects; what may not be reached is refused. */
  readonly open: (url: string) => Promise<Upstream>;
}

/** Passes one plain HTTP request on, over a connection of its own, and its answer back. */
export async function forwardRequest({ request, response, origin, open }: Exchange): Promise<void> {
  checkMessage(request);
  const url = requestUrl(request, origin);
  const upstream = await open(url);
  if (response.destroyed) {
    upstream.socket.destroy();
    return;
  }
  const outgoing = openRequest({
    method: request.method ?? 'GET',
    path: originForm(url),
    headers: forwardedHeaders(request, upstream.url.host),
    createConnection: () => upstream.socket,
  });
  // Also when whoever asked has gone: nobody is left to answer.
  response.once('close', () => upstream.socket.destroy());
  // Not a pipeline, which ends the client with the host: a host may hang up on a long body, and has answered before.
  request.pipe(outgoing);
  await passBack(await answerOf(outgoing), response);
}

function answerOf(outgoing: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.on('error', reject);
    outgoing.once('close', () => reject(new Error('it closed the connection without an answer')));
  });
}

async function passBack(answer: IncomingMessage, response: ServerResponse): Promise<void> {
  response.sendDate = false;
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', returnedHeaders(answer));
  await pipeline(answer, response);
}
