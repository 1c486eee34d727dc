import { once } from 'node:events';
import { connect, type TcpNetConnectOpts } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import { describe, expect, it } from '@jest/globals';
import { tunnelUrl } from '../../../../src/infrastructure/sandbox/proxy/tunnel.js';
import { hello, serverName } from './client-hello.js';
import { ProxyFixture, readAll } from './proxy-fixture.js';

const ACCESS_DENIED = '\x15\x03\x03\x00\x02\x02\x31';
const first = (text: string) => text.split('\r\n')[0];

/** TLS needs no certificate where both ends know a key. */
const KEYS = { ciphers: 'PSK', maxVersion: 'TLSv1.2', checkServerIdentity: () => undefined } as const;
const key = () => ({ psk: Buffer.from('shared'), identity: 'test' });

/** A tunnel to whatever port is asked for ends at this one. */
const leadTo = (port: number) => (options: TcpNetConnectOpts) => connect({ ...options, port });

describe('a tunnel', () => {
  it('carries TLS to the host that it names', async () => {
    await using fixture = new ProxyFixture();
    const server = createTlsServer({ ...KEYS, pskCallback: () => key().psk }, (socket) =>
      socket.end('secret'),
    );
    const port = await fixture.server(server);
    await fixture.start([`listed.test:${port}`]);
    const { client, head } = await fixture.tunnel(`listed.test:${port}`);
    expect(head).toBe('HTTP/1.1 200 Connection established\r\n\r\n');
    const secure = connectTls({ ...KEYS, socket: client, servername: 'listed.test', pskCallback: key });
    expect(await readAll(secure)).toBe('secret');
  });

  it('refuses TLS for another host with an alert, and passes nothing on', async () => {
    await using fixture = new ProxyFixture();
    let heard = '';
    const port = await fixture.socketServer((socket) =>
      socket.on('data', (chunk) => {
        heard += chunk;
      }),
    );
    await fixture.start([`listed.test:${port}`]);
    const { client } = await fixture.tunnel(`listed.test:${port}`);
    client.write(hello([serverName('sub.listed.test')]));
    expect(await readAll(client)).toBe(ACCESS_DENIED);
    expect(heard).toBe('');
    expect(fixture.denied).toEqual([
      { host: 'listed.test', reason: expect.stringContaining('names another host, "sub.listed.test"') },
    ]);
  });

  it('passes on every byte of a hello that arrives bit by bit', async () => {
    await using fixture = new ProxyFixture();
    const heard: Buffer[] = [];
    const port = await fixture.socketServer((socket) => {
      socket.on('data', (chunk: Buffer) => heard.push(chunk));
      socket.on('end', () => socket.end('bye'));
    });
    await fixture.start([`listed.test:${port}`]);
    const { client } = await fixture.tunnel(`listed.test:${port}`);
    const bytes = Buffer.concat([hello([serverName('listed.test')]), Buffer.from('rest')]);
    for (const byte of bytes) await new Promise((resolve) => client.write(Buffer.from([byte]), resolve));
    client.end();
    expect(await readAll(client)).toBe('bye');
    expect(Buffer.concat(heard).equals(bytes)).toBe(true);
  });

  it('takes bytes that come together with the request', async () => {
    await using fixture = new ProxyFixture();
    const port = await fixture.socketServer((socket) => socket.pipe(socket));
    await fixture.start([`listed.test:${port}`]);
    const client = fixture.client();
    client.end(`CONNECT listed.test:${port} HTTP/1.1\r\nHost: x\r\n\r\nearly`);
    expect(await readAll(client)).toBe('HTTP/1.1 200 Connection established\r\n\r\nearly');
  });

  it('lets a host speak first, and each side finish by itself', async () => {
    await using fixture = new ProxyFixture();
    const port = await fixture.socketServer((socket) => {
      socket.write('220 hello\r\n');
      socket.resume().once('end', () => socket.end('and good bye'));
    });
    await fixture.start([`listed.test:${port}`]);
    const client = fixture.client();
    let heard = '';
    client.on('data', (chunk) => {
      heard += chunk;
      if (heard.endsWith('220 hello\r\n')) client.end('QUIT');
    });
    client.write(`CONNECT listed.test:${port} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(await readAll(client)).toMatch(/220 hello\r\nand good bye$/);
  });

  it('holds back a sender that is faster than the reader', async () => {
    await using fixture = new ProxyFixture();
    const [port, connected] = await fixture.waitingServer();
    await fixture.start([`listed.test:${port}`]);
    const { client } = await fixture.tunnel(`listed.test:${port}`);
    const reader = (await connected).pause();
    const bytes = Buffer.alloc(64 * 1024 * 1024, 'x');
    client.end(bytes);
    // Were it taken in all at once, that would take far less time than this.
    await Promise.race([once(client, 'finish'), delay(200)]);
    expect(client.writableFinished).toBe(false);
    let received = 0;
    reader.on('data', (chunk: Buffer) => {
      received += chunk.length;
    });
    reader.resume().once('end', () => reader.end());
    await readAll(client);
    expect(received).toBe(bytes.length);
  });

  it('breaks with either side', async () => {
    await using fixture = new ProxyFixture();
    const [port, connected] = await fixture.waitingServer();
    const [port2, connected2] = await fixture.waitingServer();
    await fixture.start([`listed.test:${port}`, `listed.test:${port2}`]);
    const one = await fixture.tunnel(`listed.test:${port}`);
    const host = await connected;
    one.client.resetAndDestroy();
    const [error] = (await once(host.resume(), 'error')) as [NodeJS.ErrnoException];
    const two = await fixture.tunnel(`listed.test:${port2}`);
    (await connected2).resetAndDestroy();
    const [error2] = (await once(two.client.resume(), 'error')) as [NodeJS.ErrnoException];
    expect([error.code, error2.code]).toEqual(['ECONNRESET', 'ECONNRESET']);
  });

  it.each([
    'listed.test',
    'listed.test:',
    'listed.test:99999999',
    'http://listed.test:443',
    'a@listed.test:443',
    '/',
  ])('is not opened to %j', async (authority) => {
    await using fixture = new ProxyFixture();
    await fixture.start(['listed.test']);
    const answer = await fixture.send(`CONNECT ${authority} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(first(answer)).toBe('HTTP/1.1 400 Bad Request');
  });

  it.each([
    'other.test:443',
    'listed.test:22',
    'private.test:443',
    'listed.test:70000',
    '[::1]:443',
    '0x7f.1:443',
  ])('is refused to %j', async (authority) => {
    await using fixture = new ProxyFixture();
    await fixture.start(['listed.test', 'private.test']);
    const { head, client } = await fixture.tunnel(authority);
    client.destroy();
    expect(first(head)).toBe('HTTP/1.1 403 Forbidden');
    expect(fixture.denied).toHaveLength(1);
  });

  it('says in the URL which port is meant', () => {
    expect([tunnelUrl('a.test:80'), tunnelUrl('[::1]:443')]).toEqual([
      'https://a.test:80',
      'https://[::1]:443',
    ]);
  });
});

describe('a tunnel on a port of the web', () => {
  it('reads plain HTTP request by request', async () => {
    await using fixture = new ProxyFixture();
    const port = await fixture.httpServer((request, response) =>
      response.end(`${request.headers.host}${request.url}`),
    );
    await fixture.start(['listed.test'], { connect: leadTo(port) });
    const { client } = await fixture.tunnel('listed.test:80');
    client.write('GET /a HTTP/1.1\r\nHost: LISTED.test\r\n\r\nGET /b HTTP/1.1\r\nHost: listed.test\r\n\r\n');
    const answer = await readAll(client);
    expect(first(answer)).toBe('HTTP/1.1 200 OK');
    expect(answer).toContain('listed.test/a');
    expect(answer).not.toContain('/b');
  });

  it.each([
    ['for another host', 'GET / HTTP/1.1\r\nHost: other.test\r\n\r\n', '403 Forbidden'],
    ['for another port', 'GET / HTTP/1.1\r\nHost: listed.test:8080\r\n\r\n', '403 Forbidden'],
    ['for another proxy', 'GET http://other.test/ HTTP/1.1\r\nHost: listed.test\r\n\r\n', '400 Bad Request'],
  ])('refuses a request %s', async (_, request, status) => {
    await using fixture = new ProxyFixture();
    const port = await fixture.httpServer((_request, response) => response.end('reached'));
    await fixture.start(['listed.test'], { connect: leadTo(port) });
    const { client } = await fixture.tunnel('listed.test:80');
    client.write(request);
    expect(first(await readAll(client))).toBe(`HTTP/1.1 ${status}`);
  });

  it('does not open a tunnel in the tunnel', async () => {
    await using fixture = new ProxyFixture();
    const port = await fixture.httpServer((_request, response) => response.end('reached'));
    await fixture.start(['listed.test'], { connect: leadTo(port) });
    const { client } = await fixture.tunnel('listed.test:80');
    client.write('CONNECT listed.test:22 HTTP/1.1\r\nHost: listed.test:22\r\n\r\n');
    expect(await readAll(client)).not.toContain('established');
  });

  it('refuses anything else, and does not wait for it for ever', async () => {
    await using fixture = new ProxyFixture();
    const port = await fixture.socketServer(() => undefined);
    await fixture.start(['listed.test'], { connect: leadTo(port), limits: { headTimeoutMs: 50 } });
    const ssh = await fixture.tunnel('listed.test:443');
    ssh.client.write('SSH-2.0-x\r\n');
    const silent = await fixture.tunnel('listed.test:443');
    expect(await Promise.all([readAll(ssh.client), readAll(silent.client)])).toEqual(['', '']);
    expect(fixture.denied).toEqual([
      { host: 'listed.test', reason: expect.stringContaining('neither TLS nor HTTP') },
    ]);
  });
});
