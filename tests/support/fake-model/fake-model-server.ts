import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { JsonObject } from '../../../src/domain/json.js';

export interface SeenRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
  readonly body: JsonObject;
  /** Done once the connection it came on is closed. */
  readonly closed: Promise<unknown>;
}

/** What the server says to one request. */
export type Answer = (response: ServerResponse, request: SeenRequest) => unknown;

/** What a server that speaks TLS shows of itself. */
export interface Tls {
  readonly key: Buffer;
  readonly cert: Buffer;
}

/** A model's API on a real socket: gives its answers in turn, and keeps what it was asked. */
export class FakeModelServer {
  readonly seen: SeenRequest[] = [];
  readonly #answers: Answer[] = [];
  readonly #closed = new WeakMap<Socket, Promise<unknown>>();
  readonly #server: Server;

  private constructor(tls?: Tls) {
    const listen = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const closed = this.#closedOf(request.socket);
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString();
      const { url: path = '', headers } = request;
      const seen = { path, headers, text, body: JSON.parse(text) as JsonObject, closed };
      this.seen.push(seen);
      const answer = this.#answers.shift();
      if (answer) await answer(response, seen);
      else response.writeHead(501, { 'x-should-retry': 'false' }).end('the test has no more answers');
    };
    this.#server = tls ? createSecureServer(tls, listen) : createServer(listen);
  }

  static async start(tls?: Tls): Promise<FakeModelServer> {
    const server = new FakeModelServer(tls);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  will(...answers: readonly Answer[]): void {
    this.#answers.push(...answers);
  }

  /** One promise a connection, which many requests may share. */
  #closedOf(socket: Socket): Promise<unknown> {
    const known = this.#closed.get(socket) ?? new Promise((done) => socket.once('close', done));
    this.#closed.set(socket, known);
    return known;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
