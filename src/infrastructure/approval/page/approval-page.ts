import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf, ToolgateError } from '../../../domain/errors.js';
import type { ApprovalGate } from '../../../ports/approval-gate.js';
import { QueueApprovalGate } from '../queue/queue-approval-gate.js';
import { EventFeed } from './event-feed.js';
import { HttpRefusal } from './http-refusal.js';
import { type PageScope, routeRequest, sendJson } from './page-routes.js';
import { questionToJson, settledToJson } from './question-json.js';

export interface ApprovalPageOptions {
  /** Only names of this very machine: `127.0.0.1` (default), `localhost` or `[::1]`. */
  readonly host?: LoopbackHost;
  /** 0 (default): any that is free. */
  readonly port?: number;
}

export type LoopbackHost = '127.0.0.1' | 'localhost' | '[::1]';

/** A page, and an API behind it, on which people answer what a run asks. */
export interface ApprovalPage {
  /** Holds the token, in the part that a browser sends to nobody. */
  readonly link: string;
  /** Puts questions on the page. */
  readonly gate: ApprovalGate;
  /** Tells whoever looks at the page how the run ended, and takes the page down. */
  close(outcome: string): Promise<void>;
}

const MOST_CONNECTIONS = 200;
const SLOWEST_REQUEST_MS = 30_000;
/** Short, since anybody on this machine can connect: places that are held by silence must soon be free again. */
const SLOWEST_HEADERS_MS = 5_000;
const LOOK_FOR_SLOW_MS = 1_000;
/** How long a reader has to take the last event. */
const FAREWELL_MS = 1000;

export async function openApprovalPage(options: ApprovalPageOptions = {}): Promise<ApprovalPage> {
  const { host = '127.0.0.1', port = 0 } = options;
  const queue = new QueueApprovalGate();
  const feed = new EventFeed();
  const token = randomBytes(32).toString('base64url');
  const hosts = new Set<string>();
  const scope: PageScope = { queue, feed, admission: { hosts, token } };
  const limits = {
    requestTimeout: SLOWEST_REQUEST_MS,
    headersTimeout: SLOWEST_HEADERS_MS,
    connectionsCheckingInterval: LOOK_FOR_SLOW_MS,
  };
  const server = createServer(limits, (request, response) => void respond(request, response, scope));
  server.maxConnections = MOST_CONNECTIONS;
  const bound = await listen(server, host, port);
  for (const name of host === '[::1]' ? ['[::1]', 'localhost'] : ['127.0.0.1', 'localhost']) {
    hosts.add(`${name}:${bound}`);
  }
  queue.listen((event) => {
    if (event.type === 'asked') feed.send('asked', questionToJson(event.question));
    else feed.send('settled', settledToJson(event.question));
  });
  return {
    link: `http://${host}:${bound}/#${token}`,
    gate: queue,
    close: (outcome) => close(server, feed, outcome),
  };
}

async function listen(server: Server, host: LoopbackHost, port: number): Promise<number> {
  try {
    server.listen(port, host === '[::1]' ? '::1' : '127.0.0.1');
    await once(server, 'listening');
  } catch (error) {
    const message = `The approval page cannot be opened on ${host}:${port}: ${messageOf(error)}. Port 0 takes any that is free`;
    throw new ToolgateError('USER.ARGUMENT.INVALID', message, { cause: error });
  }
  return (server.address() as AddressInfo).port;
}

async function respond(request: IncomingMessage, response: ServerResponse, scope: PageScope): Promise<void> {
  for (const [name, value] of Object.entries(ALWAYS)) response.setHeader(name, value);
  try {
    await routeRequest(request, response, scope);
  } catch (error) {
    refuse(response, error);
  }
}

const ALWAYS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const { status, message } = error instanceof HttpRefusal ? error : new HttpRefusal(500, messageOf(error));
  // What is left of a body that was not read would be taken for the next request.
  response.setHeader('connection', 'close');
  sendJson(response, status, { error: message });
}

async function close(server: Server, feed: EventFeed, outcome: string): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  feed.end('ended', { outcome });
  const timer = setTimeout(() => server.closeAllConnections(), FAREWELL_MS);
  server.closeIdleConnections();
  await closed;
  clearTimeout(timer);
}
