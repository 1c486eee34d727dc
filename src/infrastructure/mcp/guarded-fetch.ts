import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import type { Permissions } from '../../domain/restrictions.js';
import type { AllowedTarget, NetworkAccess } from '../../ports/network-access.js';
import { boundedBody } from './bounded-body.js';

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const NEVER = new AbortController().signal;

/** A server may end a stream and be asked for it again, and again: at some point it has had its chances. */
const MAX_STREAMS = 200;

/**
 * A `fetch` for one server: it connects only to addresses that were checked, follows no redirect, and reads no message
 * without end.
 */
export function guardedFetch(network: NetworkAccess, permissions: Permissions): Fetch {
  let streams = 0;
  return async (url, init = {}) => {
    if (init.method === 'GET') streams += 1;
    if (streams > MAX_STREAMS) return new Response(null, { status: 405 });
    const signal = init.signal ?? NEVER;
    const target = await network.allow(String(url), permissions, { signal });
    return send(target, init, signal);
  };
}

function send(target: AllowedTarget, init: RequestInit, signal: AbortSignal): Promise<Response> {
  const { method = 'GET', body } = init;
  const headers = Object.fromEntries(new Headers(init.headers));
  const start = target.url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const sent = start(
      target.url,
      { method, headers, signal, agent: false, lookup: lookupOf(target) },
      (reply) => resolve(toResponse(reply)),
    );
    sent.on('error', reject);
    sent.end(typeof body === 'string' ? body : undefined);
  });
}

/** Statuses with which a Response may have no body. */
const EMPTY = new Set([101, 204, 205, 304]);

function toResponse(reply: IncomingMessage): Response {
  const status = reply.statusCode ?? 500;
  const headers = Object.entries(reply.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  const isEmpty = EMPTY.has(status);
  if (isEmpty) reply.resume();
  const isEvents = reply.headers['content-type']?.startsWith('text/event-stream') ?? false;
  const bounded = Readable.from(boundedBody(reply, isEvents), { objectMode: false });
  const body = isEmpty ? null : (Readable.toWeb(bounded) as ReadableStream<Uint8Array>);
  return new Response(body, { status, headers });
}

/** Answers every look-up with what was checked, whatever name is asked for. */
function lookupOf({ addresses }: AllowedTarget): LookupFunction {
  return (hostname, { family, all }, callback) => {
    const fitting = addresses.filter((one) => !family || one.family === family);
    const [first] = fitting;
    if (!first) callback(new Error(`no checked address of ${hostname}`), '', 4);
    else if (all) callback(null, [...fitting]);
    else callback(null, first.address, first.family);
  };
}
