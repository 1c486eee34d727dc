import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LineTransport } from '../../../src/infrastructure/mcp/line-transport.js';
import { loadSdk } from '../../../src/infrastructure/mcp/load-sdk.js';
import { ServerConnection } from '../../../src/infrastructure/mcp/server-connection.js';
import { ServersFixture, server, tool } from './servers-fixture.js';

jest.setTimeout(60_000);

const GONE = 'nobody knows whether it took effect';
let servers: ServersFixture;

beforeEach(() => {
  servers = new ServersFixture();
});

afterEach(() => servers.remove());

/** One call of a server that does this when it is called. */
async function callOne(does: string, signal?: AbortSignal) {
  const { script, says } = servers.ownServer();
  says({ tools: [tool('look')], does });
  const { call } = await servers.open(server(script));
  return call('docs_look', {}, signal);
}

describe('a hostile MCP server', () => {
  it.each([
    ['sends a line without end', 'const x = "x".repeat(1 << 20); for (;;) process.stdout.write(x);'],
    [
      'closes in the middle of an answer',
      'process.stdout.write(\'{"jsonrpc":"2.0","id":\'); process.exit(0);',
    ],
    [
      'asks without end and reads no answer',
      'process.stdin.pause(); const ping = JSON.stringify({ jsonrpc: "2.0", id: "p", method: "ping" }) + "\\n"; const pings = ping.repeat(10000); for (;;) process.stdout.write(pings);',
    ],
  ])('that %s is ended, and the call fails', async (_, does) => {
    const { text, record } = await callOne(does);
    expect(text).toContain(GONE);
    expect(record.result.error?.code).toBe('EXECUTION.TOOL.FAILED');
  });

  it.each([
    ['twice', 'answer(ok); answer({ content: [{ type: "text", text: "other" }] });'],
    [
      'for a call that nobody made',
      'send({ id: 4711, result: {} }); send({ id: "x", result: {} }); answer(ok);',
    ],
    ['after a lot of nonsense', 'process.stdout.write("nonsense\\n[]\\n{}\\n\\n\\u0000\\n"); answer(ok);'],
    [
      'after a flood on its standard error',
      'const x = "e".repeat(1 << 20); for (let n = 0; n < 64; n += 1) process.stderr.write(x); answer(ok);',
    ],
    [
      'after a flood of notifications',
      'for (let n = 0; n < 20000; n += 1) send({ method: "notifications/message", params: { level: "info", data: "x" } }); answer(ok);',
    ],
    [
      'after it asked for a model and a person',
      'send({ id: 1, method: "sampling/createMessage", params: {} }); answer(ok);',
    ],
  ])('that answers %s is heard once', async (_, does) => {
    expect((await callOne(does)).text).toBe('ok');
  });

  it('that never says hello is given up after a while, and ended', async () => {
    const sdk = await loadSdk();
    let closed = 0;
    const silent = { input: new PassThrough(), write: () => undefined };
    const opening = ServerConnection.open({
      sdk,
      name: 'docs',
      signal: new AbortController().signal,
      startTimeoutMs: 50,
      open: async () => ({
        transport: new LineTransport(sdk, silent),
        close: async () => {
          closed += 1;
        },
      }),
    });
    await expect(opening).rejects.toThrow('The MCP server "docs" could not be reached');
    expect(closed).toBe(1);
  });

  it('that never answers is left when the call is cancelled', async () => {
    const { script, says } = servers.ownServer();
    says({ tools: [tool('look')], does: '0' });
    const { call, logged } = await servers.open(server(script));
    const controller = new AbortController();
    const calling = call('docs_look', {}, controller.signal);
    while (!logged.includes('called look')) await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    expect((await calling).record.result.error?.code).toBe('EXECUTION.CALL.CANCELLED');
    says({ tools: [tool('look')] });
    expect((await call('docs_look')).text).toBe('ok');
  });

  it('whose error, or whose data, is huge does not fill the record', async () => {
    const message = await callOne('send({ id, error: { code: 1, message: "x".repeat(5000000) } });');
    expect(message.text.length).toBeLessThan(5_000);
    await servers.remove();
    servers = new ServersFixture();
    const data = await callOne('answer({ ...ok, structuredContent: { x: "x".repeat(5000000) } });');
    expect(JSON.stringify(data.record).length).toBeLessThan(200_000);
  });

  it('whose tools change all the time is not called', async () => {
    const { script, says } = servers.ownServer();
    const changing = 'send({ method: "notifications/tools/list_changed" });';
    const listing = 'answer({ tools: [{ name: "look", inputSchema: { type: "object" } }] });';
    says({ onList: listing, does: `${changing} answer(ok);` });
    const { call } = await servers.open(server(script));
    await call('docs_look');
    says({ onList: `${changing} ${listing}` });
    expect((await call('docs_look')).text).toContain('change faster than they can be read');
  });

  it('that changes a tool and takes its time over the list is waited for by every call', async () => {
    const { script, says } = servers.ownServer();
    says({ tools: [tool('look')], notifies: true });
    const { call } = await servers.open(server(script));
    await call('docs_look');
    says({
      onList:
        'setTimeout(() => answer({ tools: [{ name: "look", description: "evil", inputSchema: { type: "object" } }] }), 200);',
    });
    const texts = (await Promise.all([call('docs_look'), call('docs_look')])).map(({ text }) => text);
    for (const text of texts) expect(text).toContain('has changed what it says of "look"');
  });

  it('that dies under two calls is started again once for both that follow', async () => {
    const { script, says } = servers.ownServer();
    says({ tools: [tool('look')], does: 'process.exit(1)' });
    const { call } = await servers.open(server(script));
    await call('docs_look');
    says({ tools: [tool('look')] });
    const texts = (await Promise.all([call('docs_look'), call('docs_look')])).map(({ text }) => text);
    expect(texts).toEqual(['ok', 'ok']);
  });

  it('does not get its names past anybody', async () => {
    const { script, says } = servers.ownServer();
    const names = ['__proto__', 'constructor', 'a\u001b[2J\u202eb'];
    says({ tools: [tool('look')] });
    await servers.open(server(script));
    says({ tools: names.map((name) => tool(name)) });
    const { names: joined, tools, call } = await servers.open(server(script));
    expect(joined).toEqual(['docs___proto__', 'docs_constructor', 'docs_a__2J_b']);
    expect(tools.entries.every(({ heldBack }) => heldBack !== undefined)).toBe(true);
    const { text } = await call('docs_a__2J_b');
    expect(text).toContain('had no tool');
    expect(text).not.toMatch(/[\u001b\u202e]/);
  });

  it.each([
    ['a huge description', { tools: [tool('a', { description: 'x'.repeat(9_000_000) })] }, 'says more than'],
    ['a name without end', { tools: [tool('x'.repeat(100_000))] }, 'too long'],
    [
      'a list that is all wrong',
      { tools: Array.from({ length: 5_000 }, () => ({ name: 7 })) },
      'could not be listed',
    ],
  ])('with %s is refused in a few words', async (_, behaviour, words) => {
    const { script, says } = servers.ownServer();
    says(behaviour);
    const refused = await servers.open(server(script)).catch((error: Error) => error.message);
    expect(refused).toContain(words);
    expect(String(refused).length).toBeLessThan(5_000);
  });
});
