import { DeniedError, ToolgateError } from '../../../domain/errors.js';
import type { HttpReply, HttpRequest } from './http-exchange.js';
import { withoutBodyHeaders, withoutCredentials } from './http-headers.js';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const READS = new Set(['GET', 'HEAD']);

/** The request that a redirect asks for, or nothing if the reply is none. Credentials stay with their origin. */
export function redirectOf(request: HttpRequest, { status, headers }: HttpReply): HttpRequest | undefined {
  const { location } = headers;
  if (!REDIRECTS.has(status) || location === undefined) return undefined;
  const url = targetOf(location, request.url);
  const next = becomesGet(status, request.method) ? asGet(request) : request;
  const isSameOrigin = new URL(request.url).origin === url.origin;
  // Somebody approved this change at that host, not the same change at another.
  if (!isSameOrigin && !READS.has(next.method)) {
    throw new DeniedError(
      `${request.url} redirects a ${next.method} to another host (${url.host}), which is not followed`,
    );
  }
  return {
    ...next,
    url: url.href,
    headers: isSameOrigin ? next.headers : withoutCredentials(next.headers),
  };
}

function targetOf(location: string, from: string): URL {
  if (!URL.canParse(location, from)) {
    const shown = JSON.stringify(location.slice(0, 200));
    throw new ToolgateError('EXECUTION.TOOL.FAILED', `${from} redirects to ${shown}, which is no URL`);
  }
  const url = new URL(location, from);
  if (from.startsWith('https:') && url.protocol === 'http:') {
    throw new DeniedError(`${from} redirects from https to plain http (${url.host}), which is not followed`);
  }
  return url;
}

function becomesGet(status: number, method: string): boolean {
  if (status === 303) return method !== 'GET' && method !== 'HEAD';
  return (status === 301 || status === 302) && method === 'POST';
}

function asGet({ url, headers }: HttpRequest): HttpRequest {
  return { method: 'GET', url, headers: withoutBodyHeaders(headers) };
}
