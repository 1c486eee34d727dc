import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A real server on this machine; each path has its answer. */
export class FakeToolServer {
  readonly seen: SeenRequest[] = [];
  readonly routes = new Map<string, (response: ServerResponse, request: IncomingMessage) => void>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { method, url, headers } = request;
      this.seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      const route = this.routes.get(url?.split('?')[0] ?? '');
      if (route) route(response, request);
      else response.writeHead(404).end('nothing here');
    });
  }

  static async start(): Promise<FakeToolServer> {
    const server = new FakeToolServer();
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  url(path: string, host = 'api.example.com'): string {
    return `http://${host}:${(this.#server.address() as AddressInfo).port}${path}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
