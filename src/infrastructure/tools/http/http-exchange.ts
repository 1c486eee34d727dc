import { once } from 'node:events';
import { Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage, STATUS_CODES } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { AllowedTarget } from '../../../ports/network-access.js';
import type { Headers } from './http-headers.js';

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body?: string;
}

export interface HttpReply {
  readonly status: number;
  readonly statusText: string;
  readonly version: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
  /** True when the body went on beyond the limit; the rest was never read. */
  readonly isCut: boolean;
}

export interface ExchangeOptions {
  readonly signal: AbortSignal;
  /** Counted after decompression. */
  readonly maxBodyBytes: number;
}

/** One request and its reply, with the checked addresses only: no second look-up, no proxy, no shared connection. */
export async function exchange(
  { method, headers, body }: HttpRequest,
  target: AllowedTarget,
  { signal, maxBodyBytes }: ExchangeOptions,
): Promise<HttpReply> {
  const { got } = await import('got');
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const stream = got.stream(target.url, {
    method: method as 'GET',
    headers: { 'user-agent': 'toolgate', ...headers },
    ...(hasBody ? { body: body ?? '' } : {}),
    followRedirect: false,
    throwHttpErrors: false,
    retry: { limit: 0 },
    dnsLookup: lookupOf(target) as never,
    // Connections of its own: a shared one may lead to an address that nobody checked for this tool.
    agent: { http: new HttpAgent({ keepAlive: false }), https: new HttpsAgent({ keepAlive: false }) },
    signal,
  });
  // It may fail between two of our reads; the next read throws what this hears.
  stream.on('error', () => undefined);
  const [response] = (await once(stream, 'response')) as [IncomingMessage];
  const read = await readBody(stream, maxBodyBytes);
  const status = response.statusCode ?? 0;
  return {
    status,
    statusText: response.statusMessage || STATUS_CODES[status] || '',
    version: response.httpVersion,
    headers: response.headers,
    ...read,
  };
}

/** Stops as soon as there is too much, so that a small bomb that unpacks to gigabytes stays small here. */
async function readBody(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Pick<HttpReply, 'body' | 'isCut'>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) break;
  }
  return { body: Buffer.concat(chunks).subarray(0, maxBytes), isCut: bytes > maxBytes };
}

/** Answers every look-up with what was checked, whatever name is asked for. */
function lookupOf({ addresses }: AllowedTarget): LookupFunction {
  return (hostname, options, callback) => {
    const family = Number(options.family ?? 0);
    const fitting = addresses.filter((one) => family === 0 || one.family === family);
    const [first] = fitting;
    if (!first) {
      callback(Object.assign(new Error(`no checked address of ${hostname}`), { code: 'ENOTFOUND' }), '', 4);
    } else if (options.all) callback(null, [...fitting]);
    else callback(null, first.address, first.family);
  };
}
