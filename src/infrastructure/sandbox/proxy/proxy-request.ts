import type { IncomingMessage } from 'node:http';
import { Refusal } from './refusal.js';

/** Headers that speak of one connection only. `Expect` has been answered here. */
const HOP_BY_HOP = new Set([
  ...['connection', 'proxy-connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['proxy-authenticate', 'proxy-authorization', 'expect'],
]);

const EXPECTS_BODY = new Set(['POST', 'PUT', 'PATCH']);

type Pairs = readonly (readonly [name: string, value: string])[];

/**
 * Refuses what two servers might read differently. Node's parser has refused most of it before: a length beside an
 * encoding, two lengths, folded lines, bare line feeds.
 */
export function checkMessage(request: IncomingMessage): void {
  const { httpVersion, headers } = request;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    throw new Refusal(400, `HTTP ${httpVersion} is not understood`);
  }
  const encoding = headers['transfer-encoding'];
  if (encoding !== undefined && (encoding.toLowerCase() !== 'chunked' || httpVersion === '1.0')) {
    throw new Refusal(400, 'Of the transfer encodings only "chunked" of HTTP/1.1 is understood');
  }
  if (valuesOf(request, 'host').length > 1) throw new Refusal(400, 'The request has more than one Host');
}

/** The URL that a request is for: it names its host itself, or it came through a tunnel to `origin`. */
export function requestUrl(request: IncomingMessage, origin: string | undefined): string {
  const target = request.url ?? '';
  if (origin === undefined) {
    if (/^http:\/\//i.test(target)) return target.replace(/#.*$/s, '');
    throw new Refusal(400, 'This is a proxy: it takes "CONNECT host:port" and requests for "http://host/…"');
  }
  if (!target.startsWith('/')) throw new Refusal(400, 'A request inside of a tunnel begins with "/"');
  checkSameHost(request, origin);
  return `http://${origin}${target.replace(/#.*$/s, '')}`;
}

/** What to ask the host for: word for word what came, without the host. */
export function originForm(url: string): string {
  const path = url.replace(/^http:\/\/[^/?]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}

/** The headers to pass on, in their order; Host, length and connection are ours. */
export function forwardedHeaders(request: IncomingMessage, host: string): string[] {
  const kept = endToEnd(request.rawHeaders).filter(([name]) => !/^(?:host|content-length)$/i.test(name));
  return [['Host', host], ...kept, ...framingOf(request), ['Connection', 'close']].flat();
}

/** The headers of an answer to pass back. */
export function returnedHeaders(response: IncomingMessage): string[] {
  return [...endToEnd(response.rawHeaders), ['Connection', 'close']].flat();
}

/** Taken from what was parsed, not from the headers: `Connection: content-length` must not remove a length. */
function framingOf({ headers, method = '' }: IncomingMessage): Pairs {
  if (headers['transfer-encoding'] !== undefined) return [['Transfer-Encoding', 'chunked']];
  const length = headers['content-length'];
  if (length !== undefined) return [['Content-Length', length]];
  return EXPECTS_BODY.has(method) ? [['Content-Length', '0']] : [];
}

function endToEnd(rawHeaders: readonly string[]): Pairs {
  const pairs = inPairs(rawHeaders);
  const named = pairs
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(',').map((word) => word.trim().toLowerCase()))
    .filter((name) => name !== 'content-length');
  const dropped = new Set([...HOP_BY_HOP, ...named]);
  return pairs.filter(([name]) => !dropped.has(name.toLowerCase()));
}

function inPairs(rawHeaders: readonly string[]): Pairs {
  return Array.from({ length: rawHeaders.length / 2 }, (_, index) => {
    const at = index * 2;
    return [rawHeaders[at] ?? '', rawHeaders[at + 1] ?? ''];
  });
}

function valuesOf(request: IncomingMessage, name: string): readonly string[] {
  return inPairs(request.rawHeaders)
    .filter(([key]) => key.toLowerCase() === name)
    .map(([, value]) => value);
}

/** A tunnel to one host must not carry requests for another one behind the same address. */
function checkSameHost(request: IncomingMessage, origin: string): void {
  const [host = ''] = valuesOf(request, 'host');
  if (sameHost(host, origin)) return;
  throw new Refusal(403, `A request for "${host}" is refused: the tunnel leads to "${origin}"`);
}

function sameHost(one: string, other: string): boolean {
  try {
    return new URL(`http://${one}/`).host === new URL(`http://${other}/`).host;
  } catch {
    return false;
  }
}
