import { connect as dial, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NOTHING_ENFORCED } from '../../../src/domain/enforcement.js';
import { createTool } from '../../../src/domain/tool.js';
import { McpToolServer } from '../../../src/infrastructure/mcp/mcp-tool-server.js';
import type { HttpServing, ServedTools } from '../../../src/ports/tool-server.js';

const TOKEN = 'a-token-of-some-length';
const HEADERS = {
  authorization: `Bearer ${TOKEN}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};
const INITIALIZE = {
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

let stopping: AbortController;
let serving: HttpServing;
let started: number;
let finish: () => void;

/** Answers with what it was given, once it may. */
function waitingTools(): ServedTools {
  const released = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const shown = { durationMs: 1, approval: 'auto', enforcement: NOTHING_ENFORCED } as const;
  return {
    name: 'waiting',
    version: '1',
    tools: [createTool({ name: 'echo' })],
    begin: async () => ({
      runId: 'run',
      call: async ({ arguments: args }) => {
        started += 1;
        await released;
        const text = JSON.stringify(args);
        return { text, result: { success: true, output: text, ...shown } };
      },
      close: async () => undefined,
    }),
  };
}

beforeEach(async () => {
  stopping = new AbortController();
  started = 0;
  const context = { signal: stopping.signal, log: () => undefined };
  serving = await new McpToolServer().serveHttp(waitingTools(), { port: 0, token: TOKEN }, context);
});

afterEach(async () => {
  finish();
  stopping.abort();
  await serving.ended;
});

function post(
  message: object,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  return fetch(serving.url, {
    method: 'POST',
    headers: { ...HEADERS, ...headers },
    body,
    signal: signal ?? null,
  });
}

async function begin(): Promise<Record<string, string>> {
  const response = await post({ id: 'begin', ...INITIALIZE });
  await response.text();
  return { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' };
}

const echo = (id: number, said: string) => ({
  id,
  method: 'tools/call',
  params: { name: 'echo', arguments: { said } },
});

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 1));
}

describe('a hostile client over HTTP', () => {
  it('that opens sessions without end gets a hundred, however many it opens at once', async () => {
    const opening = Array.from({ length: 300 }, (_, id) => post({ id, ...INITIALIZE }));
    const statuses = await Promise.all(
      opening.map(async (one) => {
        const response = await one;
        await response.text();
        return response.status;
      }),
    );
    const welcome = statuses.filter((status) => status === 200).length;
    expect(welcome).toBeGreaterThan(0);
    expect(welcome).toBeLessThanOrEqual(100);
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
  });

  it('that shares a session with another gets none of its answers', async () => {
    const session = await begin();
    const first = post(echo(7, 'of the first'), session);
    await until(() => started === 1);
    const second = await post(echo(7, 'of the second'), session);
    expect(second.status).toBe(409);
    finish();
    expect(await (await first).text()).toContain('of the first');
    expect(await (await post(echo(7, 'of the third'), session)).text()).toContain('of the third');
    expect(started).toBe(2);
  });

  it('that goes without its answer leaves it to nobody', async () => {
    const session = await begin();
    const going = new AbortController();
    const first = post(echo(7, 'of the first'), session, going.signal).then((response) => response.text());
    first.catch(() => undefined);
    await until(() => started === 1);
    going.abort();
    await expect(first).rejects.toThrow();
    // Its going is noticed a little later.
    let status = 409;
    for (let tries = 0; tries < 20 && status === 409; tries += 1) {
      ({ status } = await post(echo(7, 'of the second'), session));
    }
    expect(status).toBe(409);
  });

  it('that asks for the same twice in one message is turned away', async () => {
    const session = await begin();
    const body = JSON.stringify([1, 2].map(() => ({ jsonrpc: '2.0', ...echo(7, 'x') })));
    const response = await fetch(serving.url, { method: 'POST', headers: { ...HEADERS, ...session }, body });
    expect([response.status, started]).toEqual([409, 0]);
  });

  it('that keeps requests open without end is turned away, and others are not', async () => {
    const [one, other] = [await begin(), await begin()];
    const calls = Array.from({ length: 120 }, (_, id) => post(echo(id, 'x'), one));
    const settled: number[] = [];
    for (const call of calls) void call.then(({ status }) => settled.push(status));
    await until(() => settled.filter((status) => status === 429).length === 20);
    expect((await post({ id: 1, method: 'ping' }, other)).status).toBe(200);
    finish();
    await Promise.all(calls.map(async (call) => (await call).text()));
  });

  it('that has no token and sends a body without end is cut off', async () => {
    const { hostname, port } = new URL(serving.url);
    const socket: Socket = dial(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(`POST /mcp HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Length: 1000000000000\r\n\r\n`);
    const flood = setInterval(() => socket.write('x'.repeat(65_536)), 1);
    socket.resume();
    await new Promise((resolve) => socket.on('close', resolve));
    clearInterval(flood);
    expect((await post({ id: 1, ...INITIALIZE })).status).toBe(200);
  });

  it.each(['short', 'a token with spaces', ''])('does not get to guess %j', async (token) => {
    const context = { signal: stopping.signal, log: () => undefined };
    const served = new McpToolServer().serveHttp(waitingTools(), { port: 0, token }, context);
    await expect(served).rejects.toThrow('16 characters or more');
  });
});
