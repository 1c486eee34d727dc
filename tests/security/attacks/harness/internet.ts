import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { JsonObject } from '../../../../src/domain/json.js';
import type { AddressLookup } from '../../../../src/infrastructure/sandbox/guarded-network-access.js';

/** What one listed host answers at one path. */
interface Answer {
  readonly status?: number;
  readonly location?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** A body that never ends, and hardly begins. */
  readonly byte_per_s?: number;
  /** A body that is small on the wire and this large when it is unpacked. */
  readonly gzip_mb?: number;
}

const ANSWER_KEYS = new Set(['status', 'location', 'headers', 'body', 'byte_per_s', 'gzip_mb']);

/** Names as a hostile or careless DNS answers them; all others lead to a public address. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  localhost: ['127.0.0.1', '::1'],
  'ip6-localhost': ['::1'],
  'ip6-loopback': ['::1'],
  'localhost.localdomain': ['127.0.0.1'],
};
const PUBLIC = '93.184.216.34';

/** A network that goes nowhere: names lead where the case says, and every connection is seen and ends here. */
export class Internet {
  /** `address port` of every connection that this process tried to make. */
  readonly connections: string[] = [];
  /** Requests as they arrived: host, path and headers. */
  readonly requests: { readonly url: string; readonly headers: IncomingMessage['headers'] }[] = [];
  readonly #names = new Map<string, readonly string[]>(Object.entries(NAMES));
  readonly #answers = new Map<string, Answer>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #server: Server | undefined;
  #unwatch: () => void = () => {};

  readonly lookup: AddressLookup = async (host) =>
    (this.#names.get(host) ?? [PUBLIC]).map((address) => ({ address, family: isIP(address) }));

  /** Whether a case has a server in it, and so connections that are meant. */
  get isServing(): boolean {
    return this.#answers.size > 0;
  }

  serve(answers: JsonObject): void {
    for (const [place, answer] of Object.entries(answers)) {
      const unknown = Object.keys(answer as JsonObject).find((key) => !ANSWER_KEYS.has(key));
      if (unknown !== undefined) throw new Error(`unknown http answer "${unknown}"`);
      this.#answers.set(place, answer as Answer);
    }
  }

  name(names: Readonly<Record<string, readonly string[]>>): void {
    for (const [host, addresses] of Object.entries(names)) this.#names.set(host, addresses);
  }

  /** From now on no connection of this process leaves the machine, and each is noted. */
  async watch(): Promise<void> {
    const server = createServer((request, response) => this.#reply(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.#server = server;
    const { port } = server.address() as AddressInfo;
    const connect = Socket.prototype.connect;
    const watched = this.#watched(connect, port);
    Socket.prototype.connect = watched as typeof connect;
    this.#unwatch = () => {
      Socket.prototype.connect = connect;
    };
  }

  async close(): Promise<void> {
    this.#unwatch();
    for (const timer of this.#timers) clearInterval(timer);
    const server = this.#server;
    if (!server) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  #watched(connect: Socket['connect'], port: number) {
    const { connections } = this;
    return function watchedConnect(this: Socket, ...given: unknown[]): Socket {
      const [options, onConnect] = connectionOf(given);
      if (typeof options.path === 'string') {
        connections.push(`unix ${options.path}`);
        return Reflect.apply(connect, this, given) as Socket;
      }
      const note = (...addresses: readonly string[]) =>
        void connections.push(...addresses.map((address) => `${address} ${options.port}`));
      const host = options.host ?? 'localhost';
      // Whoever brings a look-up of his own has the addresses already; all that he would try are noted.
      if (isIP(host) !== 0 || !options.lookup) note(host);
      else
        options.lookup(host, { all: true }, (_error, found) => note(...found.map(({ address }) => address)));
      const here = { ...options, host: '127.0.0.1', port, lookup: undefined };
      return Reflect.apply(connect, this, [here, onConnect]) as Socket;
    };
  }

  #reply(request: IncomingMessage, response: ServerResponse): void {
    const url = `${request.headers.host ?? ''}${request.url ?? ''}`;
    this.requests.push({ url, headers: request.headers });
    const answer = this.#answers.get(url) ?? { body: 'hello' };
    const { status = 200, location, headers = {}, body = '', byte_per_s, gzip_mb } = answer;
    response.writeHead(status, {
      ...headers,
      ...(location === undefined ? {} : { location }),
      ...(gzip_mb === undefined ? {} : { 'content-encoding': 'gzip' }),
    });
    if (byte_per_s === undefined) response.end(gzip_mb === undefined ? body : bomb(gzip_mb));
    else this.#timers.add(setInterval(() => response.write('x'), 1000 / byte_per_s));
  }
}

interface ConnectOptions {
  readonly path?: string | null;
  readonly host?: string;
  readonly port?: number;
  readonly lookup?: (
    host: string,
    options: { readonly all: true },
    callback: (error: unknown, found: readonly { readonly address: string }[]) => void,
  ) => void;
}

/** Node calls it with one array that it has already put in order; everybody else with options, or port and host. */
function connectionOf(given: readonly unknown[]): readonly [ConnectOptions, unknown] {
  const [first, second] = Array.isArray(given[0]) ? (given[0] as unknown[]) : given;
  if (typeof first === 'object') return [first as ConnectOptions, second];
  if (typeof first === 'string') return [{ path: first }, second];
  return [{ port: Number(first), ...(typeof second === 'string' ? { host: second } : {}) }, undefined];
}

function bomb(megabytes: number): Buffer {
  return gzipSync(Buffer.alloc(megabytes * 1024 * 1024), { level: 9 });
}
