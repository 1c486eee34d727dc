import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf, ToolgateError } from '../../domain/errors.js';
import type { ApprovalGate } from '../../ports/approval-gate.js';
import type {
  HttpOptions,
  HttpServing,
  ServeContext,
  ServedStreams,
  ServedTools,
  ToolServer,
} from '../../ports/tool-server.js';
import { ClientApprovals } from './client-approvals.js';
import { HttpGuard } from './http-guard.js';
import { HttpSessions, refuse } from './http-sessions.js';
import { LineTransport } from './line-transport.js';
import { loadSdk } from './load-sdk.js';
import { McpSession } from './mcp-session.js';

const PATH = '/mcp';
/** A hundred clients, each with calls side by side and a stream to listen to. */
const MAX_CONNECTIONS = 2_000;
const KEEP_ALIVE_MS = 60_000;

/** Tools for MCP clients: one on a pair of streams, or many over streamable HTTP. */
export class McpToolServer implements ToolServer {
  readonly #approvals = new ClientApprovals();

  clientApprovals(next: ApprovalGate): ApprovalGate {
    return this.#approvals.gate(next);
  }

  async serveStream(served: ServedTools, streams: ServedStreams, context: ServeContext): Promise<void> {
    const { signal, log } = context;
    const sdk = await loadSdk();
    const session = new McpSession({ sdk, served, approvals: this.#approvals, log });
    const sendAway = (): void => void session.close().catch(() => undefined);
    signal.addEventListener('abort', sendAway, { once: true });
    await session.connect(new LineTransport(sdk, streams));
    if (signal.aborted) sendAway();
    await session.closed;
    signal.removeEventListener('abort', sendAway);
  }

  async serveHttp(served: ServedTools, options: HttpOptions, context: ServeContext): Promise<HttpServing> {
    const { port, host = '127.0.0.1', token = randomBytes(32).toString('base64url') } = options;
    const { signal, log } = context;
    checkToken(token);
    const guard = new HttpGuard({ path: PATH, token, host, allowHosts: options.allowHosts ?? [] });
    const sdk = await loadSdk();
    const approvals = this.#approvals;
    const sessions = new HttpSessions({
      sdk,
      makeSession: () => new McpSession({ sdk, served, approvals, log }),
    });
    // A client whose machine has vanished is noticed by the silence of its connection.
    const alive = { keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS };
    const server = createServer(alive, (request, response) => {
      const refusal = guard.refusal(request);
      if (refusal) return refuse(response, refusal.status, refusal.message);
      sessions.handle(request, response).catch((error: unknown) => {
        log(messageOf(error));
        if (!response.headersSent) refuse(response, 500, 'the request could not be answered');
      });
    });
    server.maxConnections = MAX_CONNECTIONS;
    await listen(server, { port, host });
    const ended = untilAborted(server, sessions, signal);
    return { url: urlOf(server, host), token, ended };
  }
}

/** One that can be guessed is no token, and one that no header carries lets nobody in. */
function checkToken(token: string): void {
  if (/^[\w.~+/-]{16,}=*$/.test(token)) return;
  const message = 'The token must have 16 characters or more, of letters, digits and -._~+/ only';
  throw new ToolgateError('USER.ARGUMENT.INVALID', message);
}

async function listen(
  server: HttpServer,
  { port, host }: Required<Pick<HttpOptions, 'port' | 'host'>>,
): Promise<void> {
  const listening = once(server, 'listening');
  server.listen(port, host);
  try {
    await listening;
  } catch (error) {
    const message = `Cannot listen on ${host}, port ${port}: ${messageOf(error)}`;
    throw new ToolgateError('USER.ARGUMENT.INVALID', message, { cause: error });
  }
}

async function untilAborted(server: HttpServer, sessions: HttpSessions, signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
  server.close();
  await sessions.close();
  server.closeAllConnections();
}

function urlOf(server: HttpServer, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}${PATH}`;
}
