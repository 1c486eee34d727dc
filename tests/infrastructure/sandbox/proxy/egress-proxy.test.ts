import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { ProxyFixture, readAll } from './proxy-fixture.js';

const closed = (text: string) => text.split('\r\n')[0];

describe('EgressProxy', () => {
  it('reaches a listed host by its name', async () => {
    await using fixture = new ProxyFixture();
    const port = await fixture.httpServer((request, response) =>
      response.end(`${request.headers.host} ${request.url}`),
    );
    await fixture.start([`listed.test:${port}`]);
    const answer = await fixture.send(`GET http://listed.test:${port}/a?b=c HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(closed(answer)).toBe('HTTP/1.1 200 OK');
    expect(answer).toContain(`listed.test:${port} /a?b=c`);
    expect(fixture.denied).toEqual([]);
  });

  it.each([
    ['a host that is not listed', 'other.test', 'not one of the hosts'],
    ['an address that is not listed', '127.0.0.1', 'not one of the hosts'],
    ['a private address behind a listed name', 'private.test', 'leads to 10.0.0.1'],
    ['a host with a user name', 'listed.test@other.test', '"@"'],
  ])('refuses %s, and says why', async (_, host, reason) => {
    await using fixture = new ProxyFixture();
    await fixture.start(['listed.test', 'private.test']);
    const answer = await fixture.send(`GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    expect(closed(answer)).toBe('HTTP/1.1 403 Forbidden');
    expect(answer).toMatch(/^x-toolgate-denied: .+$/m);
    expect(answer.split('\r\n\r\n')[1]).toContain(reason);
    expect(fixture.denied).toEqual([{ host, reason: expect.stringContaining(reason) }]);
  });

  it('connects to the address that was checked, whatever a second look-up would say', async () => {
    await using fixture = new ProxyFixture();
    const port = await fixture.httpServer((_, response) => response.end('right'));
    await fixture.start([], {
      network: {
        allow: async (url) => ({ url: new URL(url), addresses: [{ address: '127.0.0.1', family: 4 }] }),
      },
    });
    expect(await fixture.send(`GET http://nowhere.test:${port}/ HTTP/1.1\r\nHost: x\r\n\r\n`)).toContain(
      'right',
    );
  });

  it('says that a name was not found, or that nobody listens there', async () => {
    await using fixture = new ProxyFixture();
    const port = await fixture.socketServer((socket) => socket.destroy());
    await fixture.start(['none.test', `dead.test:1`, `listed.test:${port}`]);
    const answers = await Promise.all(
      ['none.test', 'dead.test:1', `listed.test:${port}`].map((host) =>
        fixture.send(`GET http://${host}/ HTTP/1.1\r\nHost: x\r\n\r\n`),
      ),
    );
    expect(answers.map(closed)).toEqual(Array.from({ length: 3 }, () => 'HTTP/1.1 502 Bad Gateway'));
    expect(fixture.denied).toEqual([]);
  });

  it('does not wait for ever for a name or a connection', async () => {
    await using fixture = new ProxyFixture();
    await fixture.start([], {
      network: {
        allow: (_, __, { signal }) =>
          new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      },
      limits: { connectTimeoutMs: 20 },
    });
    const answer = await fixture.send('GET http://slow.test/ HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(closed(answer)).toBe('HTTP/1.1 504 Gateway Timeout');
  });

  it('does not wait for ever for a request', async () => {
    await using fixture = new ProxyFixture();
    await fixture.start([], { limits: { headTimeoutMs: 20 } });
    const client = fixture.client();
    client.write('GET http://listed.test/ HTTP/1.1\r\nHost:');
    expect(closed(await readAll(client))).toBe('HTTP/1.1 408 Request Timeout');
  });

  it('refuses a head that is too long', async () => {
    await using fixture = new ProxyFixture();
    await fixture.start([]);
    const answer = await fixture.send(
      `GET http://listed.test/ HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`,
    );
    expect(closed(answer)).toBe('HTTP/1.1 431 Request Header Fields Too Large');
  });

  it('takes no more connections than it may', async () => {
    await using fixture = new ProxyFixture();
    const port = await fixture.socketServer((socket) => socket.write('hello'));
    await fixture.start([`listed.test:${port}`], { limits: { maxConnections: 1 } });
    const { client } = await fixture.tunnel(`listed.test:${port}`);
    expect(await fixture.send(`CONNECT listed.test:${port} HTTP/1.1\r\nHost: x\r\n\r\n`)).toBe('');
    client.destroy();
  });

  it('leaves nothing open when it closes, also what has not arrived yet', async () => {
    await using fixture = new ProxyFixture();
    const { port, asked } = await fixture.silentServer();
    const raw = await fixture.socketServer(() => undefined);
    const proxy = await fixture.start([`listed.test:${port}`, `listed.test:${raw}`]);
    const idle = fixture.client();
    const waiting = fixture.send(`GET http://listed.test:${port}/ HTTP/1.1\r\nHost: x\r\n\r\n`);
    const { client } = await fixture.tunnel(`listed.test:${raw}`);
    const { socket } = await asked;
    const ended = Promise.all([readAll(idle), waiting, readAll(client), once(socket, 'close')]);
    await proxy.close();
    await proxy.close();
    expect((await ended).slice(0, 3)).toEqual(['', '', '']);
    const late = fixture.client();
    const [error] = (await once(late, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNREFUSED');
  });

  it('reports the same denial once', async () => {
    await using fixture = new ProxyFixture();
    await fixture.start([]);
    for (const host of ['a.test', 'b.test', 'a.test']) {
      await fixture.send(`GET http://${host}/ HTTP/1.1\r\nHost: x\r\n\r\n`);
    }
    expect(fixture.denied.map(({ host }) => host)).toEqual(['a.test', 'b.test']);
  });

  it('closes also when a client did not wait for its host', async () => {
    await using fixture = new ProxyFixture();
    const port = await fixture.socketServer(() => undefined);
    let go = () => {};
    const gone = new Promise<void>((resolve) => {
      go = resolve;
    });
    const asked: string[] = [];
    const proxy = await fixture.start([], {
      network: {
        allow: async (url) => {
          asked.push(url);
          await gone;
          return { url: new URL(url), addresses: [{ address: '127.0.0.1', family: 4 }] };
        },
      },
      connect: (options) => connect({ ...options, port }),
    });
    const clients = ['CONNECT a.test:443', 'GET http://a.test/'].map((line) => {
      const client = fixture.client();
      client.write(`${line} HTTP/1.1\r\nHost: x\r\n\r\n`);
      return client;
    });
    while (asked.length < clients.length) await new Promise((resolve) => setImmediate(resolve));
    for (const client of clients) client.resetAndDestroy();
    go();
    await proxy.close();
  });

  it('goes on when whoever is told of denials throws', async () => {
    await using fixture = new ProxyFixture();
    await fixture.start([], {
      onDenied: () => {
        throw new Error('not my day');
      },
    });
    const ask = () => fixture.send('GET http://other.test/ HTTP/1.1\r\nHost: x\r\n\r\n');
    expect([closed(await ask()), closed(await ask())]).toEqual([
      'HTTP/1.1 403 Forbidden',
      'HTTP/1.1 403 Forbidden',
    ]);
  });
});
