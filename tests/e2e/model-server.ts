import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../src/domain/json.js';
import type { SeenRequest } from '../support/fake-model/fake-model-server.js';
import type { ModelWire, WireTurn } from '../support/fake-model/model-wire.js';

/** What the model does next: it says something, now or when it knows it, or calls one of our tools by its own name. */
export type Move = string | Promise<string> | { readonly tool: string; readonly arguments: JsonObject };

/** How a command line's model is spoken to. */
export interface ServerWire {
  readonly wire: ModelWire;
  /** Whether a request asks the model for the next move; command lines ask for other things as well. */
  readonly isTurn: (path: string, body: JsonObject) => boolean;
  /** The names of the tools that a request offers. */
  readonly offered: (body: JsonObject) => readonly string[];
  /** Changes what goes out, where a command line wants more than the API. */
  readonly answer?: (turn: WireTurn, body: JsonObject) => ReturnType<ModelWire['answer']>;
}

/** A model on loopback for command lines that nobody here wrote: it makes its moves one after the other. */
export class ModelServer {
  readonly bodies: JsonObject[] = [];
  readonly others: string[] = [];
  #moves: Move[] = [];
  readonly #server: Server;

  private constructor(private readonly spoken: ServerWire) {
    this.#server = createServer((request, response) => void this.#handle(request, response));
  }

  static async start(spoken: ServerWire): Promise<ModelServer> {
    const server = new ModelServer(spoken);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Forgets what was, and makes these moves. */
  will(...moves: readonly Move[]): void {
    this.#moves = [...moves];
    this.bodies.length = 0;
  }

  /** Whether this was in the last thing that the model was asked. */
  hasRead(text: string): boolean {
    return JSON.stringify(this.bodies.at(-1) ?? {}).includes(text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { url: path = '', method, headers } = request;
    const body = method === 'POST' ? (JSON.parse(text) as JsonObject) : {};
    const isTurn = method === 'POST' && this.spoken.isTurn(path, body);
    if (isTurn) this.bodies.push(body);
    else this.others.push(`${method} ${path}`);
    if (method !== 'POST')
      return void response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    const turn = isTurn ? await this.#next(body) : { text: 'a title' };
    const { wire, answer = (said: WireTurn) => wire.answer(said, isStreamed(path, body)) } = this.spoken;
    await answer(turn, body)(response, {
      path,
      headers,
      text,
      body,
      closed: Promise.resolve(),
    } as SeenRequest);
  }

  async #next(body: JsonObject): Promise<WireTurn> {
    const move = (await this.#moves.shift()) ?? 'nothing more to say';
    if (typeof move === 'string') return { text: move };
    const name = this.spoken.offered(body).find((offered) => offered.endsWith(move.tool)) ?? move.tool;
    return { calls: [{ id: `call_${this.bodies.length}`, name, arguments: move.arguments }] };
  }
}

function isStreamed(path: string, body: JsonObject): boolean {
  return body.stream === true || path.includes('stream');
}
