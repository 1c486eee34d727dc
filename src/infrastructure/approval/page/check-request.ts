import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { HttpRefusal } from './http-refusal.js';

/** Who may talk to the page. */
export interface Admission {
  /** The page's own names with its port. */
  readonly hosts: ReadonlySet<string>;
  readonly token: string;
}

/**
 * Refuses whoever came under another name than the page's own (a web site whose name was pointed at this machine), or
 * from another site (a form or a script elsewhere in the same browser).
 */
export function checkPlace(headers: IncomingHttpHeaders, { hosts }: Admission): void {
  const { host = '', origin } = headers;
  if (!hosts.has(host.toLowerCase())) throw new HttpRefusal(403, 'this page does not answer under that name');
  const isForeign = origin !== undefined && origin !== `http://${host.toLowerCase()}`;
  const site = headers['sec-fetch-site'];
  const isCrossSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  if (isForeign || isCrossSite) throw new HttpRefusal(403, 'this page does not answer to other sites');
}

/** Refuses whoever does not have the token that was in the link. */
export function checkToken({ authorization = '' }: IncomingHttpHeaders, { token }: Admission): void {
  // Over hashes, so that neither the length nor the first wrong letter shows in the time it takes.
  if (!timingSafeEqual(sha256(authorization), sha256(`Bearer ${token}`))) {
    throw new HttpRefusal(401, 'open the link that toolgate printed: it holds the token');
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
