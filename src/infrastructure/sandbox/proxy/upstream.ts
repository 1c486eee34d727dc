import { type LookupFunction, connect as openSocket, type Socket, type TcpNetConnectOpts } from 'node:net';
import type { Permissions } from '../../../domain/restrictions.js';
import { type HostAndPort, plainHost } from '../../../domain/rules/host-patterns.js';
import type { AllowedTarget, NetworkAccess } from '../../../ports/network-access.js';
import type { ProxyConnections } from './proxy-connections.js';

/** Before the next address of a host is tried. */
const ATTEMPT_TIMEOUT_MS = 500;

export interface UpstreamOptions {
  readonly network: NetworkAccess;
  readonly permissions: Permissions;
  /** How a socket is opened, where not as usual. */
  readonly connect?: ((options: TcpNetConnectOpts) => Socket) | undefined;
  readonly connections: ProxyConnections;
  readonly connectTimeoutMs: number;
  readonly signal: AbortSignal;
}

/** A connection to a host that may be reached. */
export interface Upstream extends HostAndPort {
  readonly url: URL;
  readonly socket: Socket;
}

/** The proxy's only way out: a host is checked, and one of the addresses that were checked is connected to. */
export async function openUpstream(url: string, options: UpstreamOptions): Promise<Upstream> {
  const { network, permissions, connections, connectTimeoutMs, connect = openSocket } = options;
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(connectTimeoutMs)]);
  const target = await network.allow(url, permissions, { signal });
  signal.throwIfAborted();
  const place = placeOf(target.url);
  const socket = connect({
    ...place,
    lookup: lookupOf(target),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT_MS,
    allowHalfOpen: true,
    noDelay: true,
  });
  connections.track(socket);
  await connected(socket, signal);
  return { ...place, url: target.url, socket };
}

function placeOf(url: URL): HostAndPort {
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return { host: plainHost(url.hostname), port };
}

/** Answers with what was checked, whatever is asked: no name is looked up a second time. */
function lookupOf({ addresses }: AllowedTarget): LookupFunction {
  return (_hostname, _options, callback) => callback(null, [...addresses]);
}

function connected(socket: Socket, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => socket.destroy(signal.reason as Error);
    const settle = (end: () => void) => {
      signal.removeEventListener('abort', onAbort);
      end();
    };
    signal.addEventListener('abort', onAbort);
    socket.once('connect', () => settle(resolve));
    socket.once('error', (error) => settle(() => reject(error)));
    socket.once('close', () => settle(() => reject(new Error('the connection was closed'))));
  });
}
