import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { ToolgateError } from '../../domain/errors.js';

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
  /** Other names that lead here, by whoever made them. */
  readonly allowHosts: readonly string[];
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
/** Listening on these means every address, which is the name of none. */
const EVERYWHERE = ['0.0.0.0', '::'];

/**
 * Lets in who shows the token, and came by this machine's own name: a page in a browser, whose name was made to lead
 * here, has neither.
 */
export class HttpGuard {
  readonly #path: string;
  readonly #token: Buffer;
  readonly #hosts: ReadonlySet<string>;

  constructor({ path, token, host, allowHosts }: HttpGuardOptions) {
    checkNames(host, allowHosts);
    this.#path = path;
    this.#token = digest(token);
    this.#hosts = new Set([...LOOPBACK, ...[host, ...allowHosts].map(inHeader)]);
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

function checkNames(host: string, allowHosts: readonly string[]): void {
  const wrong = allowHosts.find((name) => !isIPv6(name) && !/^[\w-]+(\.[\w-]+)*$/.test(name));
  if (wrong !== undefined) {
    const message = `"${wrong}" is not the name or the address of a host: it has neither a port nor a pattern in it`;
    throw new ToolgateError('USER.ARGUMENT.INVALID', message);
  }
  if (!EVERYWHERE.includes(host) || allowHosts.length > 0) return;
  const message =
    `Listening on ${host} is for clients of other machines, and only those that come by a name of this one are served: ` +
    'give the names that they use (--allow-host NAME), or listen on one address (--host ADDRESS)';
  throw new ToolgateError('USER.ARGUMENT.INVALID', message);
}

/** As a `Host` header has it. */
function inHeader(host: string): string {
  return (isIPv6(host) ? `[${host}]` : host).toLowerCase();
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/** Of one length whatever was given, so that comparing tells nothing. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
