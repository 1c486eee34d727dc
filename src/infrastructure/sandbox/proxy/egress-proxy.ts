import {
  createServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { Server, Socket, TcpNetConnectOpts } from 'node:net';
import type { Permissions } from '../../../domain/restrictions.js';
import type { NetworkAccess } from '../../../ports/network-access.js';
import { answer, answerGarbage, respond } from './answer.js';
import { forwardRequest } from './forward-request.js';
import { ProxyConnections } from './proxy-connections.js';
import { Refusal, toRefusal } from './refusal.js';
import { runTunnel, tunnelUrl } from './tunnel.js';
import { openUpstream, type Upstream } from './upstream.js';

export interface EgressProxyOptions {
  readonly network: NetworkAccess;
  readonly permissions: Permissions;
  /** Told once of each thing that policy refused, of the first hundred: a tool's result has to say it. */
  readonly onDenied?: (host: string, reason: string) => void;
  readonly limits?: Partial<ProxyLimits>;
  /** How a connection to a host is opened, where not as usual. */
  readonly connect?: (options: TcpNetConnectOpts) => Socket;
}

export interface ProxyLimits {
  readonly maxConnections: number;
  readonly maxHeadBytes: number;
  /** For the head of a request, and for the first bytes in a tunnel. */
  readonly headTimeoutMs: number;
  /** For finding a host and connecting to it. */
  readonly connectTimeoutMs: number;
}

const DEFAULT_LIMITS: ProxyLimits = {
  maxConnections: 128,
  maxHeadBytes: 16 * 1024,
  headTimeoutMs: 10_000,
  connectTimeoutMs: 10_000,
};

const MAX_REPORTED = 100;

/**
 * Lets a sandboxed process reach the hosts of its policy and nothing else. It serves listening sockets of the
 * process's own network namespace, where there is no other way out. Each connection carries one request, so that
 * no two can be mistaken for each other.
 */
export class EgressProxy {
  readonly #options: EgressProxyOptions;
  readonly #limits: ProxyLimits;
  readonly #http: HttpServer;
  readonly #listeners = new Set<Server>();
  readonly #connections = new ProxyConnections();
  /** Connections whose tunnel turned out to carry plain HTTP, and where they lead. */
  readonly #origins = new WeakMap<Socket, string>();
  readonly #running = new Set<Promise<unknown>>();
  readonly #denied = new Set<string>();
  readonly #closing = new AbortController();

  constructor(options: EgressProxyOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    // Never listens itself: it reads what the connections of the listeners say.
    this.#http = createServer({ maxHeaderSize: this.#limits.maxHeadBytes, insecureHTTPParser: false });
    this.#http.maxRequestsPerSocket = 1;
    // All of them: a length that is dropped for its place in the list would still be the body's length.
    this.#http.maxHeadersCount = 0;
    this.#http.on('request', (request, response) => this.#start(() => this.#forward(request, response)));
    this.#http.on('connect', (request, client: Socket, head) =>
      this.#start(() => this.#tunnel(request, client, head)),
    );
    this.#http.on('clientError', (error, client: Socket) => answerGarbage(error, client));
  }

  /** Takes the connections of a listening socket from now on. */
  serve(listener: Server): void {
    this.#listeners.add(listener);
    listener.maxConnections = this.#limits.maxConnections;
    listener.on('connection', (client) => this.#accept(client));
    // What keeps us running is the process that is served, not that it might connect.
    listener.unref();
  }

  /** Closes the listeners and every connection; when it resolves nothing is left. */
  async close(): Promise<void> {
    this.#closing.abort();
    const closed = [...this.#listeners].map((listener) => closeServer(listener));
    this.#listeners.clear();
    this.#connections.destroyAll();
    await Promise.all([...closed, ...this.#running]);
  }

  #accept(client: Socket): void {
    if (this.#closing.signal.aborted) {
      client.destroy();
      return;
    }
    this.#connections.track(client);
    // One side of a tunnel may be done while the other one still speaks.
    client.allowHalfOpen = true;
    client.setNoDelay(true);
    this.#readRequest(client);
  }

  #readRequest(client: Socket): void {
    this.#connections.expectRequest(client, this.#limits.headTimeoutMs, () => {
      answer(client, new Refusal(408, 'No whole request arrived in time'));
    });
    this.#http.emit('connection', client);
  }

  #start(work: () => Promise<void>): void {
    const done = () => this.#running.delete(running);
    // Both ways: what a listener for denials throws must not end the host.
    const running: Promise<unknown> = work().then(done, done);
    this.#running.add(running);
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const client = request.socket;
    if (!this.#connections.takeRequest(client)) {
      client.destroy();
      return;
    }
    const origin = this.#origins.get(client);
    const open = (url: string) => this.#open(url);
    try {
      await forwardRequest({ request, response, open, ...(origin === undefined ? {} : { origin }) });
    } catch (error) {
      const refusal = toRefusal(error);
      if (response.headersSent) client.resetAndDestroy();
      else respond(response, refusal);
      this.#report(origin ?? request.url, refusal);
    }
  }

  async #tunnel(request: IncomingMessage, client: Socket, head: Buffer): Promise<void> {
    if (!this.#connections.takeRequest(client)) {
      client.destroy();
      return;
    }
    if (head.length > 0) client.unshift(head);
    try {
      const upstream = await this.#open(tunnelUrl(request.url ?? ''));
      const end = await runTunnel(client, { upstream, timeoutMs: this.#limits.headTimeoutMs });
      if (end instanceof Refusal) this.#report(request.url, end);
      if (end === 'http') this.#adopt(client, upstream);
    } catch (error) {
      const refusal = toRefusal(error);
      answer(client, refusal);
      this.#report(request.url, refusal);
    }
  }

  /** Reads the requests of a tunnel like all others, so that they cannot be for another host. */
  #adopt(client: Socket, { url, port }: Upstream): void {
    this.#origins.set(client, `${url.hostname}:${port}`);
    this.#readRequest(client);
    // Its first bytes were looked at and put back, and it has waited since.
    client.resume();
  }

  #open(url: string): Promise<Upstream> {
    const { network, permissions, connect } = this.#options;
    return openUpstream(url, {
      network,
      permissions,
      connect,
      connections: this.#connections,
      connectTimeoutMs: this.#limits.connectTimeoutMs,
      signal: this.#closing.signal,
    });
  }

  #report(asked: string | undefined, { status, reason }: Refusal): void {
    if (status !== 403 || this.#denied.has(reason) || this.#denied.size >= MAX_REPORTED) return;
    this.#denied.add(reason);
    this.#options.onDenied?.(hostIn(asked ?? ''), reason);
  }
}

/** For a report: the host of what was asked for, which need not be readable. */
function hostIn(asked: string): string {
  return asked
    .replace(/^https?:\/\//i, '')
    .replace(/(?::[0-9]+)?(?:[/?#].*)?$/s, '')
    .slice(0, 255);
}

function closeServer(listener: Server): Promise<void> {
  return new Promise((resolve) => listener.close(() => resolve()));
}
