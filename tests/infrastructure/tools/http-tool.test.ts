import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { httpTool } from '../../../src/infrastructure/tools/http-tool.js';
import { contractSandbox, describeToolHandlerContract } from '../../contracts/tool-handler.contract.js';
import { type CallOptions, FakeToolCalls } from '../../support/fake-tool-call.js';
import { FakeToolServer } from '../../support/fake-tool-server.js';

let server: FakeToolServer;
let calls: FakeToolCalls;
beforeAll(async () => {
  server = await FakeToolServer.start();
});
afterAll(() => server.stop());
beforeEach(() => {
  calls = new FakeToolCalls();
  server.seen.length = 0;
  server.routes.clear();
});

const request = (args: object, options?: CallOptions) =>
  calls.call(httpTool(), { url: server.url('/'), ...args }, options);
const answer = (path: string, body: string | Buffer, headers = {}, status = 200) =>
  server.routes.set(path, (response) => response.writeHead(status, headers).end(body));

describeToolHandlerContract('http_request', () => {
  const handler = httpTool();
  return { handler, arguments: { url: server.url('/') }, sandbox: contractSandbox(handler) };
});

describe('httpTool', () => {
  it('gives status, headers and body, and says who holds the network', async () => {
    answer('/', 'hello', { 'content-type': 'text/plain', 'set-cookie': 'a=1' });
    const result = await request({});
    expect(result).toMatchObject({
      success: true,
      data: { status: 200, headers: { 'content-type': 'text/plain', 'set-cookie': ['a=1'] } },
      enforcement: { backend: 'in-process', network: 'in-process' },
    });
    expect(result.output).toBe('HTTP/1.1 200 OK\ncontent-type: text/plain\n\nhello');
  });

  it('sends method, headers and body', async () => {
    answer('/', '');
    await request({
      method: 'POST',
      headers: { 'X-Trace': '7', 'content-type': 'application/json' },
      body: '{"a":1}',
    });
    expect(server.seen).toMatchObject([
      { method: 'POST', body: '{"a":1}', headers: { 'x-trace': '7', 'content-length': '7' } },
    ]);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'])('makes a %s request without a body', async (method) => {
    answer('/', '');
    expect(await request({ method })).toMatchObject({ success: true });
    expect(server.seen[0]?.method).toBe(method);
  });

  it('fails at 400 and above, with the body kept', async () => {
    const result = await request({ url: server.url('/missing') });
    expect(result).toMatchObject({
      success: false,
      error: { code: 'EXECUTION.TOOL.FAILED', message: 'HTTP 404 Not Found' },
      data: { status: 404 },
    });
    expect(result.output).toContain('nothing here');
  });

  it('connects to the checked address, whatever the name resolves to', async () => {
    answer('/', 'reached');
    const result = await request({ url: server.url('/', 'does-not-exist.invalid') });
    expect(result.output).toContain('reached');
    expect(server.seen[0]?.headers.host).toMatch(/^does-not-exist\.invalid:/);
  });

  it('takes no proxy from the environment', async () => {
    answer('/', 'direct');
    const before = process.env.http_proxy;
    process.env.http_proxy = 'http://127.0.0.1:9';
    try {
      expect((await request({})).output).toContain('direct');
    } finally {
      if (before === undefined) delete process.env.http_proxy;
      else process.env.http_proxy = before;
    }
  });

  it('unpacks, and stops a bomb where the limit is', async () => {
    answer('/small', gzipSync('unpacked'), { 'content-encoding': 'gzip' });
    expect((await request({ url: server.url('/small') })).output).toContain('unpacked');
    // A gigabyte in a thousand members, none of which takes room here.
    const member = gzipSync(Buffer.alloc(1024 * 1024, 'x'));
    answer('/bomb', Buffer.concat(Array(1024).fill(member)), { 'content-encoding': 'gzip' });
    const before = process.memoryUsage().rss;
    const { output, success } = await request({ url: server.url('/bomb') }, { timeoutMs: 20_000 });
    expect(success).toBe(true);
    expect(output).toContain('reading stopped after 4,194,304 bytes');
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });

  it('shows no binary body, and reads other character sets', async () => {
    answer('/', Buffer.from([0, 1, 2]), { 'content-type': 'image/png' });
    expect((await request({})).output).toContain('[3 bytes that are no text (image/png), not shown]');
    answer('/', Buffer.from('caf\xe9', 'latin1'), { 'content-type': 'text/plain; charset=iso-8859-1' });
    expect((await request({})).output).toContain('café');
  });

  it('stops when its time is up', async () => {
    server.routes.set('/', () => undefined);
    const result = await request({}, { timeoutMs: 50 });
    expect(result.error).toEqual({ code: 'EXECUTION.TOOL.TIMEOUT', message: 'timed out after 50 ms' });
  });

  it('fails clearly where nothing listens', async () => {
    const result = await request({ url: 'http://api.example.com:9/' });
    expect(result).toMatchObject({ success: false, error: { code: 'EXECUTION.TOOL.FAILED' } });
    expect(result.output).toContain('ECONNREFUSED');
  });

  it.each([
    [{ headers: { Host: 'evil.test' } }, 'EXECUTION.SANDBOX.DENIED'],
    [{ headers: { 'Transfer-Encoding': 'chunked' } }, 'EXECUTION.SANDBOX.DENIED'],
    [{ headers: { 'content-length': '3' } }, 'EXECUTION.SANDBOX.DENIED'],
    [{ headers: { Connection: 'x' } }, 'EXECUTION.SANDBOX.DENIED'],
    [{ headers: { 'Proxy-Authorization': 'x' } }, 'EXECUTION.SANDBOX.DENIED'],
    [{ headers: { 'X-A': '1\r\nX-B: 2' } }, 'EXECUTION.CALL.INVALID_ARGUMENTS'],
    [{ headers: { 'X-A\r\nX-B': '1' } }, 'EXECUTION.CALL.INVALID_ARGUMENTS'],
    [{ headers: { 'x-a': 'ключ' } }, 'EXECUTION.CALL.INVALID_ARGUMENTS'],
    [{ headers: { A: '1', a: '2' } }, 'EXECUTION.CALL.INVALID_ARGUMENTS'],
    [{ body: 'x' }, 'EXECUTION.CALL.INVALID_ARGUMENTS'],
    [{ method: 'POST', body: '\ud800' }, 'EXECUTION.CALL.INVALID_ARGUMENTS'],
    [{ url: 'http://user:pass@api.example.com/' }, 'EXECUTION.SANDBOX.DENIED'],
  ])('refuses %p before it connects', async (args, code) => {
    await expect(request(args)).rejects.toMatchObject({ code });
    expect(server.seen).toEqual([]);
  });
});

describe('httpTool: redirects', () => {
  const redirect = (from: string, location: string, status = 302) => answer(from, '', { location }, status);
  const secrets = { Authorization: 'Bearer s', Cookie: 'c=1', 'X-Api-Key': 'k', Accept: 'text/plain' };

  it('follows within an origin, with everything', async () => {
    redirect('/', '/next');
    answer('/next', 'arrived');
    expect((await request({ headers: secrets })).output).toContain('arrived');
    expect(server.seen[1]?.headers).toMatchObject({
      authorization: 'Bearer s',
      cookie: 'c=1',
      'x-api-key': 'k',
    });
  });

  it('leaves credentials behind at another origin', async () => {
    redirect('/', server.url('/next', 'other.example.com'));
    answer('/next', 'arrived');
    await request({ headers: secrets });
    expect(Object.keys(server.seen[1]?.headers ?? {})).toEqual(expect.arrayContaining(['accept', 'host']));
    expect(server.seen[1]?.headers).not.toHaveProperty('authorization');
    expect(server.seen[1]?.headers).not.toHaveProperty('cookie');
    expect(server.seen[1]?.headers).not.toHaveProperty('x-api-key');
  });

  it.each([
    [301, 'POST', 'GET', ''],
    [302, 'POST', 'GET', ''],
    [303, 'PUT', 'GET', ''],
    [307, 'POST', 'POST', 'data'],
    [308, 'PUT', 'PUT', 'data'],
    [302, 'DELETE', 'DELETE', 'data'],
  ])('after %i turns %s into %s', async (status, method, next, body) => {
    redirect('/', '/next', status);
    answer('/next', '');
    await request({ method, body: 'data', headers: { 'content-type': 'text/plain' } });
    expect(server.seen[1]).toMatchObject({ method: next, body });
  });

  it('is no way around a rule about the host', async () => {
    const target = server.url('/next', 'other.example.com');
    redirect('/', target);
    answer('/next', 'arrived');
    const hosts = ['other.example.com'];
    const approval = { default: 'auto', rules: [{ mode: 'prompt', when: { hosts } }] } as const;
    const result = await request({}, { approval });
    expect(result.error?.code).toBe('EXECUTION.SANDBOX.DENIED');
    expect(result.output).toContain(`the redirect to ${target} is refused: the rules of its approval`);
    expect(server.seen).toHaveLength(1);
  });

  it('checks every hop, and never connects to one that is refused', async () => {
    calls.network.refused.add('evil.test');
    redirect('/', 'http://evil.test/');
    const result = await request({});
    expect(result.error?.code).toBe('EXECUTION.SANDBOX.DENIED');
    expect(result.output).toBe('the redirect to http://evil.test/ is refused: "evil.test" is not listed');
    expect(server.seen).toHaveLength(1);
  });

  it.each(['file:///etc/passwd', 'http://u:p@api.example.com/'])(
    'refuses a redirect to %s',
    async (location) => {
      redirect('/', location);
      expect((await request({})).error?.code).toBe('EXECUTION.SANDBOX.DENIED');
    },
  );

  it('ends after five', async () => {
    redirect('/', '/');
    expect((await request({})).output).toContain('more than 5 redirects');
    expect(server.seen).toHaveLength(6);
  });
});
