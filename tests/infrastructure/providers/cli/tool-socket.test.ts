import { readFileSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTool } from '../../../../src/domain/tool.js';
import { failedResult } from '../../../../src/domain/tool-result.js';
import { McpToolServer } from '../../../../src/infrastructure/mcp/mcp-tool-server.js';
import { gatedTools } from '../../../../src/infrastructure/providers/cli/gated-tools.js';
import { ToolSocket } from '../../../../src/infrastructure/providers/cli/tool-socket.js';
import type { AgentGate } from '../../../../src/ports/agent-gate.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const LONG = 'x'.repeat(50_000);
const TOOLS = [
  createTool({ name: 'look', description: LONG, parameters: { type: 'object', additionalProperties: true } }),
];
const HELLO = {
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
};

let socket: ToolSocket;
let log: string[];
let calls: number;

/** One end of the socket that says what it is told to. */
class Client {
  readonly #socket: Socket = connect(socket.path);
  readonly closed = new Promise<void>((resolve) => this.#socket.once('close', () => resolve()));
  #text = '';
  #sent = 0;

  constructor(first = `${readFileSync(`${socket.path}.token`, 'utf8')}\n`) {
    this.#socket.on('error', () => undefined).write(first);
  }

  /** Reads from now on; one that is not told to reads nothing. */
  reading(): this {
    this.#socket.setEncoding('utf8').on('data', (chunk: string) => {
      this.#text += chunk;
    });
    return this;
  }

  raw(text: string): this {
    this.#socket.write(text);
    return this;
  }

  ask(message: object): this {
    this.#sent += 1;
    return this.raw(`${JSON.stringify({ jsonrpc: '2.0', id: this.#sent, ...message })}\n`);
  }

  get isGone(): boolean {
    return this.#socket.closed;
  }

  leave(): void {
    this.#socket.destroy();
  }

  async answers(count: number): Promise<readonly { readonly id: number; readonly result?: unknown }[]> {
    const lines = (): readonly string[] => this.#text.split('\n').slice(0, -1);
    while (lines().length < count && !this.#socket.closed) {
      await Promise.race([new Promise((resolve) => this.#socket.once('data', resolve)), this.closed]);
    }
    return lines().map((line) => JSON.parse(line));
  }
}

describe('ToolSocket', () => {
  beforeEach(async () => {
    const heard: string[] = [];
    log = heard;
    calls = 0;
    const gate = {
      call: async () => {
        calls += 1;
        return { text: 'seen', result: failedResult({ code: 'EXECUTION.TOOL.FAILED', message: 'x' }) };
      },
    } as unknown as AgentGate;
    socket = await ToolSocket.open({
      folder: temporaryFolder(),
      served: gatedTools(TOOLS, gate),
      server: new McpToolServer(),
      signal: new AbortController().signal,
      log: (message) => void heard.push(message),
    });
  });

  afterEach(() => socket[Symbol.asyncDispose]());

  it('is for its owner, and so is its token', () => {
    const modes = [socket.path, `${socket.path}.token`].map((path) => statSync(path).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600]);
  });

  it.each([
    ['another token', 'guess\n'],
    ['no token, but a message', `${JSON.stringify({ jsonrpc: '2.0', id: 1, ...HELLO })}\n`],
    ['the beginning of a token without end', 'x'.repeat(100_000)],
    ['an empty line', '\n'],
  ])('sends away whoever shows %s', async (_name, first) => {
    const client = new Client(first).reading();
    await client.closed;
    expect(await client.answers(0)).toEqual([]);
    expect(socket.isListed).toBe(false);
  });

  it('knows whether anybody has read which tools there are', async () => {
    const client = new Client().reading().ask(HELLO);
    await client.answers(1);
    expect(socket.isListed).toBe(false);
    await client.ask({ method: 'tools/list' }).answers(2);
    expect(socket.isListed).toBe(true);
  });

  it('answers thousands of calls that come at once, each of them once', async () => {
    const client = new Client().reading().ask(HELLO);
    for (let n = 0; n < 3_000; n += 1) client.ask({ method: 'tools/call', params: { name: 'look' } });
    const answers = await client.answers(3_001);
    expect(new Set(answers.map(({ id }) => id)).size).toBe(3_001);
    expect(calls).toBe(3_000);
  });

  it('answers after nonsense, and complains of it a few times only', async () => {
    const client = new Client().reading();
    client.raw('nonsense\n[]\n{}\n\u0000\u001b[2J\n'.repeat(1_000)).ask(HELLO);
    expect(await client.answers(1)).toMatchObject([{ id: 1, result: { serverInfo: { name: 'toolgate' } } }]);
    expect(log.length).toBeLessThanOrEqual(20);
    expect(log.at(-1)).toContain('what follows is not told');
  });

  it('sends away a client whose message has no end', async () => {
    const client = new Client().reading();
    const part = 'x'.repeat(1024 * 1024);
    for (let n = 0; n < 20; n += 1) client.raw(part);
    await client.closed;
    expect(log.join()).toContain('more than');
  });

  it('sends away a client that asks without end and reads no answer', async () => {
    const client = new Client().ask(HELLO);
    while (!client.isGone) {
      client.ask({ method: 'tools/list' });
      await setImmediate();
    }
  });

  it('serves a few clients at once, and one more when one has gone', async () => {
    const clients = Array.from({ length: 16 }, () => new Client().reading().ask(HELLO));
    await Promise.all(clients.map((client) => client.answers(1)));
    const late = new Client().reading().ask(HELLO);
    await late.closed;
    clients[0]?.leave();
    await clients[0]?.closed;
    let next = new Client().reading().ask(HELLO);
    // It may be quicker than the news that the other has gone.
    while ((await next.answers(1)).length === 0) {
      next = new Client().reading().ask(HELLO);
    }
    for (const client of [...clients, next]) client.leave();
  });
});
