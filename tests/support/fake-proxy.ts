import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** What the proxy does with a request to connect. */
export type OnConnect = 'connect' | 'ignore' | number;

export interface SeenConnect {
  readonly target: string;
  readonly authorization: string | undefined;
}

/** A proxy on a real socket: whatever it is asked to connect to, it connects to one port of this machine. */
export class FakeProxy {
  readonly seen: SeenConnect[] = [];
  readonly #sockets = new Set<Duplex>();
  readonly #server: Server;

  private constructor(
    private readonly port: number,
    private readonly onConnect: OnConnect,
  ) {
    this.#server = createServer((_request, response) => response.writeHead(405).end());
    this.#server.on('connect', (request, socket) => this.#take(request, socket));
  }

  static async start(target: { readonly url: string }, onConnect: OnConnect = 'connect'): Promise<FakeProxy> {
    const proxy = new FakeProxy(Number(new URL(target.url).port), onConnect);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #take({ url: target = '', headers }: IncomingMessage, socket: Duplex): void {
    this.seen.push({ target, authorization: headers['proxy-authorization'] });
    this.#keep(socket);
    if (this.onConnect === 'ignore') return;
    if (this.onConnect !== 'connect') {
      socket.end(`HTTP/1.1 ${this.onConnect} No\r\n\r\n`);
      return;
    }
    const upstream: Socket = connect(this.port, '127.0.0.1', () =>
      socket.write('HTTP/1.1 200 Connected\r\n\r\n'),
    );
    this.#keep(upstream);
    upstream.pipe(socket).pipe(upstream);
  }

  #keep(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => this.#sockets.delete(socket));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
