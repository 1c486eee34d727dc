import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { ProxyFixture, readAll } from './proxy-fixture.js';

const first = (text: string) => text.split('\r\n')[0];

interface Seen {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: readonly string[];
  readonly body: string;
}

/** A fixture with a server that keeps what it was asked. */
async function listening(fixture: ProxyFixture): Promise<{ readonly seen: Seen[]; readonly base: string }> {
  const seen: Seen[] = [];
  const port = await fixture.httpServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      seen.push({ method: request.method, url: request.url, headers: request.rawHeaders, body });
      response.setHeader('Set-Cookie', ['a=1', 'b=2']);
      response.setHeader('Keep-Alive', 'timeout=5');
      response.end('done');
    });
  });
  await fixture.start([`listed.test:${port}`]);
  return { seen, base: `http://listed.test:${port}` };
}

describe('forwardRequest', () => {
  it('passes on what is meant for the host, and nothing that is meant for the proxy', async () => {
    await using fixture = new ProxyFixture();
    const { seen, base } = await listening(fixture);
    const headers = [
      'Host: other.test',
      'X-Two: 1',
      'Proxy-Authorization: Basic xxx',
      'Proxy-Connection: keep-alive',
      'Connection: keep-alive, X-Hop, Content-Length',
      'X-Hop: gone',
      'x-two: 2',
      'TE: trailers',
      'Upgrade: websocket',
      'Content-Length: 3',
    ];
    const answer = await fixture.send(
      `PUT ${base}/a//b/../c?'=%41 HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\nabc`,
    );
    expect(seen).toEqual([
      {
        method: 'PUT',
        url: "/a//b/../c?'=%41",
        headers: [
          ...['Host', base.slice('http://'.length), 'X-Two', '1', 'x-two', '2'],
          ...['Content-Length', '3', 'Connection', 'close'],
        ],
        body: 'abc',
      },
    ]);
    expect(answer).toContain('Set-Cookie: a=1\r\nSet-Cookie: b=2\r\n');
    expect(answer).toContain('Connection: close\r\n');
    expect(answer).not.toContain('Keep-Alive');
  });

  it('passes on a body in pieces, a body that has no length, and none', async () => {
    await using fixture = new ProxyFixture();
    const { seen, base } = await listening(fixture);
    await fixture.send(
      `POST ${base} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n`,
    );
    await fixture.send(`POST ${base}?q#fragment HTTP/1.1\r\nHost: x\r\n\r\n`);
    await fixture.send(`HEAD ${base}/ HTTP/1.0\r\n\r\n`);
    expect(seen.map(({ method, url, body }) => ({ method, url, body }))).toEqual([
      { method: 'POST', url: '/', body: 'abc' },
      { method: 'POST', url: '/?q', body: '' },
      { method: 'HEAD', url: '/', body: '' },
    ]);
  });

  it.each([
    ['a length beside an encoding', 'Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['two lengths', 'Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc'],
    ['a length with a sign', 'Content-Length: +3\r\n\r\nabc'],
    ['a folded line', 'X: 1\r\n y\r\n\r\n'],
    ['a folded encoding', 'Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n'],
    ['a blank before the colon', 'Content-Length : 3\r\n\r\nabc'],
    ['an encoding that only looks like one', 'Transfer-Encoding: xchunked\r\n\r\nabc'],
    ['an encoding beside another', 'Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
    ['two hosts', 'Host: y\r\n\r\n'],
    ['a bare line feed', 'X: 1\nY: 2\r\n\r\n'],
    ['a NUL', 'X: a\0b\r\n\r\n'],
  ])('refuses %s', async (_, rest) => {
    await using fixture = new ProxyFixture();
    const { seen, base } = await listening(fixture);
    const answer = await fixture.send(`POST ${base}/ HTTP/1.1\r\nHost: x\r\n${rest}`);
    expect(first(answer)).toBe('HTTP/1.1 400 Bad Request');
    expect(seen).toEqual([]);
  });

  it.each([
    ['a request for the proxy itself', 'GET / HTTP/1.1'],
    ['https without a tunnel', 'GET https://listed.test/ HTTP/1.1'],
    ['another scheme', 'GET ftp://listed.test/ HTTP/1.1'],
    [
      'an encoding that HTTP/1.0 does not have',
      'POST http://listed.test/ HTTP/1.0\r\nTransfer-Encoding: chunked',
    ],
    ['HTTP/2', 'PRI * HTTP/2.0'],
    ['something else', '\x05\x01\x00'],
  ])('refuses %s', async (_, line) => {
    await using fixture = new ProxyFixture();
    await listening(fixture);
    expect(first(await fixture.send(`${line}\r\nHost: x\r\n\r\n`))).toBe('HTTP/1.1 400 Bad Request');
  });

  it('finds the length of a body behind any number of headers', async () => {
    await using fixture = new ProxyFixture();
    const { seen, base } = await listening(fixture);
    const many = 'a:\r\n'.repeat(2_500);
    const hidden = 'GET /hidden HTTP/1.1\r\nHost: other.test\r\n\r\n';
    await fixture.send(
      `POST ${base}/ HTTP/1.1\r\nHost: x\r\n${many}Content-Length: ${hidden.length}\r\n\r\n${hidden}`,
    );
    expect(seen.map(({ url, body }) => ({ url, body }))).toEqual([{ url: '/', body: hidden }]);
  });

  it('hears one request on a connection: what follows is not passed on', async () => {
    await using fixture = new ProxyFixture();
    const { seen, base } = await listening(fixture);
    const one = `POST ${base}/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`;
    const connect = `CONNECT ${base.slice('http://'.length)} HTTP/1.1\r\nHost: x\r\n\r\n`;
    await fixture.send(`${one}GET ${base}/2 HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(await fixture.send(`${one}${connect}`)).not.toContain('established');
    await new Promise(setImmediate);
    expect(seen.map(({ url }) => url).filter((url) => url !== '/1')).toEqual([]);
  });

  it('hangs up on the host when the client has gone', async () => {
    await using fixture = new ProxyFixture();
    const { port, asked } = await fixture.silentServer();
    await fixture.start([`listed.test:${port}`]);
    const client = fixture.client();
    client.write(`GET http://listed.test:${port}/ HTTP/1.1\r\nHost: x\r\n\r\n`);
    const { socket } = await asked;
    client.destroy();
    await once(socket, 'close');
    expect(socket.destroyed).toBe(true);
  });

  it('does not make a whole answer of one that breaks off', async () => {
    await using fixture = new ProxyFixture();
    const port = await fixture.socketServer((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'));
    });
    await fixture.start([`listed.test:${port}`]);
    const client = fixture.client();
    client.write(`GET http://listed.test:${port}/ HTTP/1.1\r\nHost: x\r\n\r\n`);
    const answer = await readAll(client);
    expect(answer).toContain('Content-Length: 10\r\n');
    expect(answer.endsWith('half')).toBe(true);
  });

  it('gives back an answer that comes before the body was read', async () => {
    await using fixture = new ProxyFixture();
    const port = await fixture.httpServer((_, response) => {
      response.writeHead(413, { connection: 'close' }).end('too much');
    });
    await fixture.start([`listed.test:${port}`]);
    const client = fixture.client();
    client.write(`POST http://listed.test:${port}/ HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999\r\n\r\nx`);
    expect(await readAll(client)).toContain('too much');
  });
});
