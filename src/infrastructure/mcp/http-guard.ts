import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Why a request is turned away, as an HTTP status and words. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
}

export interface HttpGuardOptions {
  readonly path: string;
  readonly token: string;
  /** The address that is listened on, beside the names of this machine. */
  readonly host: string;
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Lets in who shows the token, and came by this machine's own name: a page in a browser, whose name was made to lead
 * here, has neither.
 */
export class HttpGuard {
  readonly #path: string;
  readonly #token: Buffer;
  readonly #hosts: ReadonlySet<string>;

  constructor({ path, token, host }: HttpGuardOptions) {
    this.#path = path;
    this.#token = digest(token);
    this.#hosts = new Set([...LOOPBACK, host.includes(':') ? `[${host}]` : host]);
  }

  refusal({ headers, url = '/' }: IncomingMessage): Refusal | undefined {
    if (!this.#isOurs(headers.host)) return { status: 403, message: 'this host name is not served' };
    const { origin } = headers;
    if (origin !== undefined && !this.#isOurs(hostOf(origin))) {
      return { status: 403, message: 'pages of this origin are not served' };
    }
    if (!this.#isAuthorized(headers.authorization))
      return { status: 401, message: 'a bearer token is needed' };
    if (url.split('?')[0] !== this.#path) return { status: 404, message: `there is only ${this.#path}` };
    return undefined;
  }

  #isOurs(host: string | undefined): boolean {
    return host !== undefined && this.#hosts.has(host.replace(/:\d+$/, '').toLowerCase());
  }

  #isAuthorized(header: string | undefined): boolean {
    const given = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
    return given !== undefined && timingSafeEqual(digest(given), this.#token);
  }
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/** Of one length whatever was given, so that comparing tells nothing. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
