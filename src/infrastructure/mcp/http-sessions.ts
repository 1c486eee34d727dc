import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { McpSession, SessionParts } from './mcp-session.js';
import { RequestsUnderWay, readPosted } from './posted-messages.js';
import type { StreamableHTTPServerTransport } from './sdk.js';

interface HttpSession {
  readonly session: McpSession;
  readonly transport: StreamableHTTPServerTransport;
  readonly underWay: RequestsUnderWay;
  /** Requests that are being answered, the stream of notifications among them. */
  open: number;
  lastUsed: number;
}

export interface HttpSessionsOptions {
  readonly sdk: SessionParts['sdk'];
  readonly makeSession: () => McpSession;
}

const MAX_SESSIONS = 100;
const MAX_OPEN_REQUESTS = 100;
/** A client that left without a word is known by its silence. */
const IDLE_MS = 30 * 60_000;
const LOOK_MS = 60_000;

/** The clients of an HTTP server, by the ids they were given. */
export class HttpSessions {
  readonly #sessions = new Map<string, HttpSession>();
  /** Those that are about to introduce themselves: thousands at once must not all find room. */
  #welcoming = 0;
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
    if (this.#sessions.size + this.#welcoming >= MAX_SESSIONS) {
      return refuse(response, 503, 'too many sessions');
    }
    this.#welcoming += 1;
    const known = this.#makeSession();
    const { session, transport } = known;
    try {
      // The SDK's own types do not agree under exactOptionalPropertyTypes.
      await session.connect(transport as Parameters<McpSession['connect']>[0]);
      await this.#answer(known, request, response);
    } finally {
      this.#welcoming -= 1;
      if (transport.sessionId === undefined) await session.close();
    }
  }

  #makeSession(): HttpSession {
    const transport = new this.options.sdk.StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void this.#sessions.set(id, known),
      onsessionclosed: (id) => void this.#sessions.delete(id),
    });
    const session = this.options.makeSession();
    const underWay = new RequestsUnderWay();
    const known: HttpSession = { session, transport, underWay, open: 0, lastUsed: Date.now() };
    void session.closed.then(() => this.#sessions.delete(transport.sessionId ?? ''));
    return known;
  }

  async #answer(known: HttpSession, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (known.open >= MAX_OPEN_REQUESTS) return refuse(response, 429, 'too many requests are open');
    known.open += 1;
    response.once('close', () => {
      known.open -= 1;
      known.lastUsed = Date.now();
    });
    if (request.method === 'POST') await answerPosted(known, request, response);
    else await known.transport.handleRequest(request, response);
  }

  #sendIdleAway(): void {
    for (const { session, open, lastUsed } of this.#sessions.values()) {
      if (open === 0 && Date.now() - lastUsed > IDLE_MS) session.close().catch(() => undefined);
    }
  }
}

async function answerPosted(
  { transport, underWay }: HttpSession,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const posted = await readPosted(request);
  if (posted.refusal) return refuse(response, posted.refusal.status, posted.refusal.message);
  const letGo = underWay.take(posted.body);
  if (!letGo) return refuse(response, 409, 'a request with this id is being answered');
  // Of a client that did not wait, the answer is still to come: its id is not free until then, so it stays taken.
  response.once('finish', letGo);
  await transport.handleRequest(request, response, posted.body);
}

/** As JSON-RPC, which is all that a client reads. */
export function refuse(response: ServerResponse, status: number, message: string): void {
  const body = { jsonrpc: '2.0', error: { code: -32_000, message }, id: null };
  const headers = {
    'content-type': 'application/json',
    // What else the request brings is not read.
    connection: 'close',
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
  };
  response.writeHead(status, headers).end(JSON.stringify(body));
}
