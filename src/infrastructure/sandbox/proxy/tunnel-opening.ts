import { isIP } from 'node:net';
import type { HostAndPort } from '../../../domain/rules/host-patterns.js';
import { readClientHello, startsAsTls } from './tls-hello.js';

/** What the first bytes in a tunnel lead to. */
export type Opening =
  | { readonly kind: 'more' }
  | { readonly kind: 'pass' }
  /** Plain HTTP: its requests are read one by one, like those that come without a tunnel. */
  | { readonly kind: 'http' }
  | { readonly kind: 'refuse'; readonly reason: string; readonly isTls: boolean };

const LONGEST_METHOD = 20;

/** Where a client speaks first, and TLS or HTTP. */
export function isWebPort(port: number): boolean {
  return port === 80 || port === 443;
}

/**
 * A tunnel to a listed host must not lead to another one behind the same address. TLS has to name the host in the
 * clear; plain HTTP is read. On the two ports of the web nothing else passes: no ordinary program speaks anything
 * else there. Whoever lists another port means a protocol that we do not know, and it passes as it is.
 */
export function judgeOpening(bytes: Buffer, target: HostAndPort): Opening {
  if (bytes.length === 0) return { kind: 'more' };
  if (startsAsTls(bytes)) return judgeTls(bytes, target);
  if (!isWebPort(target.port)) return { kind: 'pass' };
  const start = bytes.subarray(0, LONGEST_METHOD + 1).toString('latin1');
  if (/^[A-Z]+ /.test(start)) return { kind: 'http' };
  if (/^[A-Z]+$/.test(start) && start.length <= LONGEST_METHOD) return { kind: 'more' };
  return refuse(`what is sent on port ${target.port} is neither TLS nor HTTP`, false);
}

function judgeTls(bytes: Buffer, { host }: HostAndPort): Opening {
  if (bytes.length === 1) return { kind: 'more' };
  const hello = readClientHello(bytes);
  if (hello.kind === 'incomplete') return { kind: 'more' };
  if (hello.kind === 'invalid') return refuse(`it is not TLS as it should be: ${hello.problem}`, true);
  // The name that counts would be inside, unseen; the outer one may be anything.
  if (hello.isEncrypted)
    return refuse('it encrypts the name of its host (ECH), which then cannot be checked', true);
  return judgeName(hello.serverName, host);
}

function judgeName(serverName: string | undefined, host: string): Opening {
  if (serverName === undefined) {
    // An address has no name to send. For a name every program sends it, and without it any host may answer.
    return isIP(host) !== 0 ? { kind: 'pass' } : refuse('its TLS does not name the host (no SNI)', true);
  }
  const named = serverName.toLowerCase().replace(/\.$/, '');
  return named === host
    ? { kind: 'pass' }
    : refuse(`its TLS names another host, ${JSON.stringify(named)}`, true);
}

function refuse(reason: string, isTls: boolean): Opening {
  return { kind: 'refuse', reason, isTls };
}
