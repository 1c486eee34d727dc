import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ServersFixture, tool } from './servers-fixture.js';

jest.setTimeout(60_000);

/** A server over HTTP that knows its clients by a session, until it forgets them. */
class SessionServer {
  called = 0;
  status: number | undefined;
  #session = 1;
  #http: Server | undefined;
  #port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.#port}/mcp`;
  }

  forget(): void {
    this.#session += 1;
  }

  async start(): Promise<void> {
    const http = createServer((request, response) => void this.#answer(request, response));
    await new Promise<void>((done) => http.listen(this.#port, '127.0.0.1', done));
    this.#port = (http.address() as AddressInfo).port;
    this.#http = http;
  }

  async stop(): Promise<void> {
    const http = this.#http;
    http?.closeAllConnections();
    await new Promise<void>((done) => (http?.listening ? http.close(() => done()) : done()));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { id, method, params } = JSON.parse(body || '{}');
    const session = request.headers['mcp-session-id'];
    if (this.status !== undefined) return void response.writeHead(this.status).end('who are you?');
    if (session !== undefined && session !== `s${this.#session}`) return void response.writeHead(404).end();
    if (id === undefined) return void response.writeHead(request.method === 'GET' ? 405 : 202).end();
    if (method === 'tools/call') this.called += 1;
    const about = { capabilities: {}, serverInfo: { name: 'h', version: '1' } };
    const results: Readonly<Record<string, unknown>> = {
      initialize: { protocolVersion: params?.protocolVersion, ...about },
      'tools/list': { tools: [tool('look')] },
      'tools/call': { content: [{ type: 'text', text: `call ${this.called}` }] },
    };
    response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': `s${this.#session}` });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }));
  }
}

let servers: ServersFixture;
let http: SessionServer;

beforeEach(async () => {
  servers = new ServersFixture();
  http = new SessionServer();
  await http.start();
});

afterEach(async () => {
  await servers.remove();
  await http.stop();
});

const open = () => servers.open(`  docs: { url: "${http.url}", approval: auto }`);

describe('a server that is reached', () => {
  it('and has forgotten the session is asked for a new one, as often as it forgets', async () => {
    const { call } = await open();
    for (const expected of ['call 1', 'call 2', 'call 3']) {
      expect((await call('docs_look')).text).toBe(expected);
      http.forget();
    }
    expect(http.called).toBe(3);
  });

  it('and was away fails cleanly, and works when it is back', async () => {
    const { call } = await open();
    await call('docs_look');
    await http.stop();
    for (let tries = 0; tries < 2; tries += 1) {
      const { text, record } = await call('docs_look');
      expect(record.result.error?.code).toBe('EXECUTION.TOOL.FAILED');
      expect(text).toContain('could not be reached');
    }
    http.forget();
    await http.start();
    expect((await call('docs_look')).text).toBe('call 2');
  });

  it('and failed in the middle of a call is not called a second time', async () => {
    const { call } = await open();
    http.status = 500;
    expect((await call('docs_look')).text).toContain('it answered 500 (who are you?)');
  });

  it('and wants to know who asks is said to, once, with what to do', async () => {
    http.status = 401;
    const message = await open().then(
      () => '',
      (error: Error) => error.message,
    );
    expect(message).toBe(
      'The MCP server "docs" could not be reached: it answered 401 (who are you?); give it the credentials that it asks for with `headers`',
    );
  });
});
