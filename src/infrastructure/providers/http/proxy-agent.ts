import { type ClientRequestArgs, Agent as HttpAgent, type OutgoingHttpHeaders, request } from 'node:http';
import { Agent as HttpsAgent, request as secureRequest } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

const CONNECT_MS = 30_000;

/** The place that a connection is wanted to. */
type Target = Pick<ClientRequestArgs, 'host' | 'port'>;
type OnConnection = (error: Error | null, connection: Duplex) => void;

/** Agents that keep connections alive and reach their targets through a proxy, which sees where to and how much, only. */
export function proxyAgents(proxy: string): { readonly http: HttpAgent; readonly https: HttpsAgent } {
  const url = new URL(proxy);
  return { http: new TunnelAgent(url), https: new SecureTunnelAgent(url) };
}

class TunnelAgent extends HttpAgent {
  constructor(private readonly proxy: URL) {
    super({ keepAlive: true });
  }

  override createConnection(options: ClientRequestArgs, done?: OnConnection): undefined {
    hand(openTunnel(this.proxy, options), done);
  }
}

class SecureTunnelAgent extends HttpsAgent {
  constructor(private readonly proxy: URL) {
    super({ keepAlive: true });
  }

  override createConnection(options: ClientRequestArgs, done?: OnConnection): undefined {
    // Inside of the tunnel it is TLS with the target itself, whose certificate is checked as without a proxy.
    const secure = (socket: Socket) => super.createConnection({ ...options, socket } as ClientRequestArgs);
    hand(
      openTunnel(this.proxy, options).then((socket) => secure(socket) as Duplex),
      done,
    );
  }
}

function hand(connection: Promise<Duplex>, done: OnConnection = () => undefined): void {
  connection.then(
    (made) => done(null, made),
    // Nobody looks at the connection where there is an error; only the types ask for one.
    (error: Error) => done(error, undefined as unknown as Duplex),
  );
}

async function openTunnel(proxy: URL, { host, port }: Target): Promise<Socket> {
  const target = `${host?.includes(':') ? `[${host}]` : host}:${port}`;
  const ask = proxy.protocol === 'https:' ? secureRequest : request;
  const connect = ask({
    method: 'CONNECT',
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
    path: target,
    headers: { host: target, ...credentials(proxy) },
    agent: false,
    timeout: CONNECT_MS,
  });
  return new Promise((resolve, reject) => {
    const fail = (problem: string, code: string): void => {
      connect.destroy();
      reject(Object.assign(new Error(`the proxy ${proxy.host} ${problem}`), { code }));
    };
    // A request that was given up meanwhile must not keep the process alive.
    connect.once('socket', (socket) => socket.unref());
    connect.once('timeout', () => fail(`did not connect to ${target} in ${CONNECT_MS} ms`, 'ETIMEDOUT'));
    connect.once('error', (error: NodeJS.ErrnoException) =>
      fail(`fails: ${error.message}`, error.code ?? ''),
    );
    connect.once('connect', ({ statusCode = 0, statusMessage = '' }, socket: Socket, head) => {
      if (statusCode >= 200 && statusCode < 300) {
        socket.unshift(head);
        resolve(socket.setTimeout(0).ref());
        return;
      }
      socket.destroy();
      fail(`does not connect to ${target}: ${statusCode} ${statusMessage.slice(0, 100)}`, String(statusCode));
    });
    connect.end();
  });
}

function credentials({ username, password }: URL): OutgoingHttpHeaders {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}
