import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { McpSession, SessionParts } from './mcp-session.js';
import type { StreamableHTTPServerTransport } from './sdk.js';

interface HttpSession {
  readonly session: McpSession;
  readonly transport: StreamableHTTPServerTransport;
  /** Requests that are being answered, the stream of notifications among them. */
  open: number;
  lastUsed: number;
}

export interface HttpSessionsOptions {
  readonly sdk: SessionParts['sdk'];
  readonly makeSession: () => McpSession;
}

const MAX_BODY_BYTES = 4 * 1024 * 1024;
const MAX_SESSIONS = 100;
/** A client that left without a word is known by its silence. */
const IDLE_MS = 30 * 60_000;
const LOOK_MS = 60_000;

/** The clients of an HTTP server, by the ids they were given. */
export class HttpSessions {
  readonly #sessions = new Map<string, HttpSession>();
  readonly #timer: NodeJS.Timeout;

  constructor(private readonly options: HttpSessionsOptions) {
    this.#timer = setInterval(() => this.#sendIdleAway(), LOOK_MS).unref();
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = request.headers['mcp-session-id'];
    if (id === undefined) return this.#welcome(request, response);
    const known = this.#sessions.get(String(id));
    if (!known) return refuse(response, 404, 'there is no such session; begin a new one');
    await this.#answer(known, request, response);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.allSettled([...this.#sessions.values()].map(({ session }) => session.close()));
  }

  /** A client without an id must begin by introducing itself; the transport sees to that. */
  async #welcome(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#sessions.size >= MAX_SESSIONS) return refuse(response, 503, 'too many sessions');
    const transport = new this.options.sdk.StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      maxRequestBodySize: MAX_BODY_BYTES,
      onsessioninitialized: (id) => void this.#sessions.set(id, known),
      onsessionclosed: (id) => void this.#sessions.delete(id),
    });
    const session = this.options.makeSession();
    const known: HttpSession = { session, transport, open: 0, lastUsed: Date.now() };
    void session.closed.then(() => this.#sessions.delete(transport.sessionId ?? ''));
    // The SDK's own types do not agree under exactOptionalPropertyTypes.
    await session.connect(transport as Parameters<McpSession['connect']>[0]);
    await this.#answer(known, request, response);
    if (transport.sessionId === undefined) await session.close();
  }

  async #answer(known: HttpSession, request: IncomingMessage, response: ServerResponse): Promise<void> {
    known.open += 1;
    response.once('close', () => {
      known.open -= 1;
      known.lastUsed = Date.now();
    });
    await known.transport.handleRequest(request, response);
  }

  #sendIdleAway(): void {
    for (const { session, open, lastUsed } of this.#sessions.values()) {
      if (open === 0 && Date.now() - lastUsed > IDLE_MS) session.close().catch(() => undefined);
    }
  }
}

/** As JSON-RPC, which is all that a client reads. */
export function refuse(response: ServerResponse, status: number, message: string): void {
  const body = { jsonrpc: '2.0', error: { code: -32_000, message }, id: null };
  const headers = {
    'content-type': 'application/json',
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
  };
  response.writeHead(status, headers).end(JSON.stringify(body));
}
