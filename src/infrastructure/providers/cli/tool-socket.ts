import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { ServeContext, ServedTools, ToolServer } from '../../../ports/tool-server.js';

export interface ToolSocketOptions extends ServeContext {
  /** A folder that nobody else can enter. */
  readonly folder: string;
  readonly served: ServedTools;
  readonly server: ToolServer;
}

const TOKEN_WAIT_MS = 5_000;
const MAX_TOKEN_BYTES = 256;
/** A command line connects once, or a few times if it starts agents of its own. */
const MAX_CLIENTS = 16;
/** One that asks and does not read what it is answered is sent away: its answers would fill our memory. */
const MAX_UNREAD_BYTES = 32 * 1024 * 1024;
/** Each is kept in the record: a client that sends nonsense without end must not fill it. */
const MAX_COMPLAINTS = 20;

/**
 * A unix socket on which tools are served to whoever shows the token first: to the shim that a command line starts.
 * The token is in a file beside it, which the same people can read as can open the socket.
 */
export class ToolSocket implements AsyncDisposable {
  readonly path: string;
  readonly #token = randomBytes(32).toString('base64url');
  readonly #server: Server;
  readonly #closing = new AbortController();
  readonly #sessions = new Set<Promise<void>>();
  #isListed = false;
  #complaints = 0;

  private constructor(private readonly options: ToolSocketOptions) {
    this.path = join(options.folder, 'tools.sock');
    this.#server = createServer((socket) => this.#accept(socket));
  }

  static async open(options: ToolSocketOptions): Promise<ToolSocket> {
    const socket = new ToolSocket(options);
    writeFileSync(`${socket.path}.token`, socket.#token, { mode: 0o600, flag: 'wx' });
    socket.#server.listen(socket.path);
    await once(socket.#server, 'listening');
    chmodSync(socket.path, 0o600);
    return socket;
  }

  /** Whether anybody has read yet which tools there are. */
  get isListed(): boolean {
    return this.#isListed;
  }

  /** Ends every session, and waits until each has. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#closing.abort();
    await Promise.allSettled(this.#sessions);
  }

  #accept(socket: Socket): void {
    // A client that breaks off is a client that has gone; its session sees that by itself.
    socket.on('error', () => undefined);
    if (this.#sessions.size >= MAX_CLIENTS) return void socket.destroy();
    const session = this.#serve(socket).finally(() => {
      this.#sessions.delete(session);
      socket.destroy();
    });
    this.#sessions.add(session);
    session.catch(() => undefined);
  }

  async #serve(socket: Socket): Promise<void> {
    const { server, signal } = this.options;
    const log = (message: string): void => this.#complain(message);
    const listed = (): void => {
      this.#isListed = true;
    };
    const served = { ...this.options.served, listed };
    const until = AbortSignal.any([signal, this.#closing.signal]);
    until.addEventListener('abort', () => socket.destroySoon(), { once: true });
    const input = await withoutToken(socket, this.#token);
    if (!input || until.aborted) return;
    const write = (text: string): void => {
      if (socket.writable) socket.write(text);
      if (socket.writableLength > MAX_UNREAD_BYTES) socket.destroy();
    };
    await server.serveStream(served, { input, write }, { signal: until, log });
  }

  #complain(message: string): void {
    this.#complaints += 1;
    if (this.#complaints > MAX_COMPLAINTS) return;
    this.options.log(this.#complaints < MAX_COMPLAINTS ? message : `${message} (what follows is not told)`);
  }
}

/** What follows the token; nothing if the first line is not the token. */
async function withoutToken(socket: Socket, token: string): Promise<AsyncIterable<Uint8Array> | undefined> {
  const chunks = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const timer = setTimeout(() => socket.destroy(), TOKEN_WAIT_MS);
  try {
    let head = Buffer.alloc(0);
    while (!head.includes('\n')) {
      const { value, done } = await chunks.next();
      if (done || head.length > MAX_TOKEN_BYTES) return undefined;
      head = Buffer.concat([head, value]);
    }
    const end = head.indexOf('\n');
    return isSame(head.subarray(0, end).toString(), token) ? rest(head.subarray(end + 1), chunks) : undefined;
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

async function* rest(first: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Uint8Array> {
  if (first.length > 0) yield first;
  for (;;) {
    const { value, done } = await chunks.next();
    if (done) return;
    yield value;
  }
}

function isSame(left: string, right: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(left), hash(right));
}
