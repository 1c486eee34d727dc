import { once } from 'node:events';
import { Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Readable } from 'node:stream';
import { messageOf } from '../../../domain/errors.js';
import type { ModelRequest, ModelResponse, ModelTransport } from './model-transport.js';
import { ProviderError } from './provider-error.js';
import { proxyAgents } from './proxy-agent.js';

const CONNECT_MS = 30_000;
/** How long a reply that was read whole may take to end its response before the connection is given up. */
const GRACE_MS = 250;

interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

// By proxy; kept alive over the turns of a run. Idle sockets do not keep the process alive.
const agentsOf = new Map<string, Agents>([
  ['', { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) }],
]);

/** Requests over got, through the proxy if there is one. */
export function gotTransport(proxy = ''): ModelTransport {
  const agents = agentsOf.get(proxy) ?? proxyAgents(proxy);
  agentsOf.set(proxy, agents);
  return (request, { signal }) => send(request, agents, signal);
}

/** No retries and no redirects of got's own, errors without the request (it holds the key). */
async function send(
  { url, headers, body }: ModelRequest,
  agents: Agents,
  signal: AbortSignal,
): Promise<ModelResponse> {
  const { got } = await import('got');
  const stream = got.stream.post(url, {
    headers: { 'user-agent': 'toolgate', ...headers },
    body,
    followRedirect: false,
    throwHttpErrors: false,
    retry: { limit: 0 },
    timeout: { lookup: CONNECT_MS, connect: CONNECT_MS, secureConnect: CONNECT_MS },
    agent: agents,
    signal,
  });
  // It may fail between two of our reads; the next read throws what this hears.
  stream.on('error', () => undefined);
  try {
    const [response] = (await once(stream, 'response')) as [IncomingMessage];
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: bytesOf(stream),
      release: () => release(stream),
    };
  } catch (error) {
    throw connectionError(error);
  }
}

async function* bytesOf(stream: Readable): AsyncGenerator<Uint8Array, void, void> {
  try {
    // Who has read enough must be able to leave without closing the connection.
    yield* stream.iterator({ destroyOnReturn: false });
  } catch (error) {
    throw connectionError(error);
  }
}

function release(stream: Readable): void {
  if (stream.readableEnded || stream.destroyed) return;
  const timer = setTimeout(() => stream.destroy(), GRACE_MS);
  timer.unref();
  stream.once('close', () => clearTimeout(timer));
  stream.resume();
}

// Others, such as a name that does not exist or a certificate that is wrong, do not mend themselves. Numbers are what
// a proxy says to CONNECT.
const PASSING = new Set(
  'ECONNRESET ECONNREFUSED ECONNABORTED EPIPE ETIMEDOUT EAI_AGAIN ENETUNREACH EHOSTUNREACH 502 503 504'.split(
    ' ',
  ),
);

function connectionError(error: unknown): ProviderError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const text = messageOf(error) || code;
  const message = `${text.includes(code) ? text : `${text} (${code})`}${adviceFor(text)}`;
  return new ProviderError('EXECUTION.PROVIDER.CONNECTION', message, { retry: PASSING.has(code) });
}

/** Only where it was the API itself that was not reached: a proxy's failure begins with other words. */
function adviceFor(problem: string): string {
  if (/^(?:connect )?ECONNREFUSED/.test(problem))
    return ': nothing listens there (does it run? is base_url right?)';
  return /^getaddrinfo ENOTFOUND/.test(problem) ? ': there is no such host (is base_url right?)' : '';
}
