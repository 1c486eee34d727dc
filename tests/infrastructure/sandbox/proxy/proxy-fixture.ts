import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { NO_PERMISSIONS } from '../../../../src/domain/restrictions.js';
import { GuardedNetworkAccess } from '../../../../src/infrastructure/sandbox/guarded-network-access.js';
import {
  EgressProxy,
  type EgressProxyOptions,
} from '../../../../src/infrastructure/sandbox/proxy/egress-proxy.js';

/** Names that every test's DNS knows; all others are not found. */
const NAMES: Readonly<Record<string, string>> = {
  'listed.test': '127.0.0.1',
  'sub.listed.test': '127.0.0.1',
  'private.test': '10.0.0.1',
  'dead.test': '127.0.0.1',
};

/** A proxy with the policy of a test, the servers behind it, and clients in front of it. */
export class ProxyFixture implements AsyncDisposable {
  readonly denied: { readonly host: string; readonly reason: string }[] = [];
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  #proxy: EgressProxy | undefined;
  #port = 0;
  #isOver = false;

  /** Starts a proxy that may reach `hosts`. */
  async start(hosts: readonly string[], more: Partial<EgressProxyOptions> = {}): Promise<EgressProxy> {
    const proxy = new EgressProxy({
      network: new GuardedNetworkAccess({ lookup: fakeLookup }),
      permissions: { ...NO_PERMISSIONS, hosts, privateHosts: ['127.0.0.1'] },
      onDenied: (host, reason) => this.denied.push({ host, reason }),
      ...more,
    });
    const listener = createServer();
    this.#port = await listen(listener);
    proxy.serve(listener);
    this.#proxy = proxy;
    return proxy;
  }

  async httpServer(handler: RequestListener): Promise<number> {
    return this.server(createHttpServer(handler));
  }

  /** A server that keeps its first request waiting, for ever. */
  async silentServer(): Promise<{ readonly port: number; readonly asked: Promise<IncomingMessage> }> {
    const server = createHttpServer();
    const asked = once(server, 'request').then(([request]) => request as IncomingMessage);
    return { port: await this.server(server), asked };
  }

  /** A server that hands over each connection. */
  async socketServer(onSocket: (socket: Socket) => void): Promise<number> {
    return this.server(createServer({ allowHalfOpen: true }, onSocket));
  }

  /** A server whose first connection is handed over. */
  async waitingServer(): Promise<readonly [port: number, connected: Promise<Socket>]> {
    const server = createServer({ allowHalfOpen: true });
    const connected = once(server, 'connection').then(([socket]) => socket as Socket);
    return [await this.server(server), connected];
  }

  async server(server: Server): Promise<number> {
    this.#servers.push(server);
    server.on('connection', (socket) => {
      this.#keep(socket);
    });
    return listen(server);
  }

  /** A connection to the proxy. */
  client(): Socket {
    return this.#keep(connect({ port: this.#port, host: '127.0.0.1', allowHalfOpen: true }));
  }

  /** Sends a text to the proxy and gives back all that comes until it hangs up. */
  async send(text: string): Promise<string> {
    const client = this.client();
    client.write(text, 'latin1');
    return readAll(client);
  }

  /** Opens a tunnel, and gives back the connection after the proxy's answer has been read. */
  async tunnel(authority: string): Promise<{ readonly client: Socket; readonly head: string }> {
    const client = this.client();
    client.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
    const [head] = (await once(client, 'data')) as [Buffer];
    // Whatever else comes waits for its reader.
    client.pause();
    return { client, head: head.toString('latin1') };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#proxy?.close();
    this.#isOver = true;
    const closed = this.#servers.map((server) => new Promise((resolve) => server.close(resolve)));
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(closed);
  }

  #keep(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    if (this.#isOver) socket.destroy();
    return socket;
  }
}

/** Everything that arrives until the end. */
export function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.resume().on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  return new Promise((resolve) => {
    socket.once('close', () => resolve(text));
    if (socket.destroyed) resolve(text);
    else if (socket.readableEnded) socket.end();
    else socket.once('end', () => socket.end());
  });
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function fakeLookup(host: string): Promise<readonly { address: string; family: number }[]> {
  const address = NAMES[host];
  if (address === undefined) throw new Error('ENOTFOUND');
  return [{ address, family: 4 }];
}
