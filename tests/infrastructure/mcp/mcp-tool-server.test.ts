import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { NOTHING_ENFORCED } from '../../../src/domain/enforcement.js';
import { createTool } from '../../../src/domain/tool.js';
import { McpToolServer } from '../../../src/infrastructure/mcp/mcp-tool-server.js';
import type { HttpServing, ServedTools } from '../../../src/ports/tool-server.js';

const TOKEN = 'open-sesame-open-sesame';
const OPTIONS = { port: 0, token: TOKEN, allowHosts: ['gate.example.org', '2001:db8::1'] };
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

let stopping: AbortController;
let serving: HttpServing;
let log: string[];
let served: FakeTools;

/** Tools that answer by themselves, and note who came and went. */
class FakeTools implements ServedTools {
  readonly name = 'fake';
  readonly version = '1';
  readonly tools = [
    createTool({ name: 'echo', parameters: { properties: { text: true, never: false } } }),
    createTool({ name: 'hang' }),
  ];
  readonly noted: string[] = [];
  failsToBegin = false;

  async begin(client: string) {
    if (this.failsToBegin) throw new Error('the disk is full');
    const runId = `run-${client}-${this.noted.length}`;
    this.noted.push(`began ${client}`);
    return {
      runId,
      call: async (
        { tool, arguments: args }: { tool: string; arguments: unknown },
        { signal, onLog }: { signal: AbortSignal; onLog?: (message: string) => void },
      ) => {
        if (tool === 'hang') await new Promise((resolve) => signal.addEventListener('abort', resolve));
        for (let line = 1; line <= 2_000; line += 1) onLog?.(`line ${line}`);
        const { text = 'nothing' } = args as { text?: string };
        const shown = {
          output: text,
          durationMs: 1,
          approval: 'auto',
          enforcement: NOTHING_ENFORCED,
        } as const;
        return { text, result: { success: true, data: { said: text }, ...shown } };
      },
      close: async () => void this.noted.push(`ended ${client}`),
    };
  }
}

beforeEach(async () => {
  stopping = new AbortController();
  log = [];
  served = new FakeTools();
  const context = { signal: stopping.signal, log: (message: string) => void log.push(message) };
  serving = await new McpToolServer().serveHttp(served, OPTIONS, context);
});

afterEach(async () => {
  stopping.abort();
  await serving.ended;
});

/** One request, with a Host of one's own, which `fetch` would not send. */
function post(
  headers: Record<string, string>,
  body: string = JSON.stringify(INITIALIZE),
  path = '/mcp',
): Promise<{ status: number; body: string; headers: NodeJS.Dict<string | string[]> }> {
  const { hostname, port } = new URL(serving.url);
  const common = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, path, method: 'POST', headers: { ...common, ...headers } },
      (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

const authorized = { authorization: `Bearer ${TOKEN}` };

async function connect(name = 'tester'): Promise<Client> {
  const client = new Client({ name, version: '1' });
  const requestInit = { headers: authorized };
  await client.connect(new StreamableHTTPClientTransport(new URL(serving.url), { requestInit }) as never);
  return client;
}

describe('McpToolServer over HTTP', () => {
  it.each([
    ['no token', {}, 401],
    ['another token', { authorization: 'Bearer open-sesame-open-sesamf' }, 401],
    ['a token in another scheme', { authorization: `Basic ${TOKEN}` }, 401],
    ['a name that was made to lead here', { ...authorized, host: 'evil.example' }, 403],
    ['a name below one that was allowed', { ...authorized, host: 'a.gate.example.org' }, 403],
    ['a name that was allowed, without the token', { host: 'gate.example.org' }, 401],
    ['a name that only begins like ours', { ...authorized, host: 'localhost.evil.example' }, 403],
    ['a page of another origin', { ...authorized, origin: 'https://evil.example' }, 403],
    ['a page without an origin', { ...authorized, origin: 'null' }, 403],
    ['a session that is not there', { ...authorized, 'mcp-session-id': 'x' }, 404],
  ])('turns away %s', async (_, headers, status) => {
    const refused = await post(headers as Record<string, string>);
    expect(refused.status).toBe(status);
    expect(JSON.parse(refused.body)).toMatchObject({
      jsonrpc: '2.0',
      error: { message: expect.any(String) },
    });
  });

  it.each([
    ['the address', authorized],
    ['localhost', { ...authorized, host: 'LOCALHOST:80' }],
    ['a name that was allowed', { ...authorized, host: 'Gate.example.org:8808' }],
    ['an address that was allowed', { ...authorized, host: '[2001:db8::1]:8808' }],
    ['a page of this machine', { ...authorized, origin: 'http://localhost:3000' }],
  ])('lets in who shows the token and came by %s', async (_, headers) => {
    expect((await post(headers as Record<string, string>)).status).toBe(200);
  });

  it('has one path only, takes no body without end, and no first word but an introduction', async () => {
    expect((await post(authorized, '{}', '/other')).status).toBe(404);
    expect((await post(authorized, 'x'.repeat(5 * 1024 * 1024))).status).toBe(413);
    expect((await post(authorized, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}')).status).toBe(400);
    expect((await post(authorized, 'no json')).status).toBe(400);
  });

  it('begins a run with a client’s first call, and ends it when the client says goodbye', async () => {
    const [first, second] = [await connect('one'), await connect('two')];
    expect((await first.listTools()).tools.map(({ inputSchema }) => inputSchema.properties)).toEqual([
      { text: {}, never: { not: {} } },
      {},
    ]);
    expect(served.noted).toEqual([]);
    expect(await first.callTool({ name: 'echo', arguments: { text: 'hi' } })).toMatchObject({
      content: [{ type: 'text', text: 'hi' }],
      structuredContent: { said: 'hi' },
    });
    await second.callTool({ name: 'echo', arguments: {} });
    await (first.transport as StreamableHTTPClientTransport).terminateSession();
    await first.close();
    await until(() => served.noted.length === 3);
    expect(served.noted).toEqual(['began one', 'began two', 'ended one']);
    await second.close();
  });

  it('sends progress to a client that asks for it, and not without end', async () => {
    const client = await connect();
    const messages: (string | undefined)[] = [];
    const onprogress = ({ message }: { message?: string | undefined }) => void messages.push(message);
    await client.callTool({ name: 'echo', arguments: {} }, undefined, { onprogress });
    expect([messages[0], messages.length]).toEqual(['line 1', 1_000]);
    await client.close();
  });

  it('sends what tools report as a log to a client that asks for one, and to no other', async () => {
    const client = await connect();
    const logged: unknown[] = [];
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void logged.push(params));
    await client.callTool({ name: 'echo', arguments: {} });
    await client.setLoggingLevel('warning');
    await client.callTool({ name: 'echo', arguments: {} });
    expect(logged).toEqual([]);
    await client.setLoggingLevel('info');
    await client.callTool({ name: 'echo', arguments: {} });
    expect([logged[0], logged.length]).toEqual([{ level: 'info', logger: 'echo', data: 'line 1' }, 1_000]);
    await client.close();
  });

  it('tells the model when a run cannot begin, and begins with the next call', async () => {
    const client = await connect();
    served.failsToBegin = true;
    const failed = await client.callTool({ name: 'echo', arguments: {} });
    expect(failed).toMatchObject({ isError: true, content: [{ text: 'Not run: the disk is full' }] });
    expect(log).toEqual(['echo: the disk is full']);
    served.failsToBegin = false;
    expect((await client.callTool({ name: 'echo', arguments: { text: 'now' } })).isError).toBeUndefined();
    await client.close();
  });

  it('ends what is under way, and the runs, when it is stopped', async () => {
    const client = await connect();
    const hanging = client.callTool({ name: 'hang', arguments: {} });
    hanging.catch(() => undefined);
    await until(() => served.noted.length === 1);
    stopping.abort();
    await serving.ended;
    expect(served.noted).toEqual(['began tester', 'ended tester']);
    await client.close();
  });
});

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
}
