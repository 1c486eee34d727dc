import { describe, expect, it } from '@jest/globals';
import { judgeOpening } from '../../../../src/infrastructure/sandbox/proxy/tunnel-opening.js';
import { hello, serverName } from './client-hello.js';

const target = { host: 'listed.test', port: 443 };
const judge = (bytes: Buffer | string, at: { host?: string; port?: number } = {}) =>
  judgeOpening(Buffer.from(bytes as string, 'latin1'), { ...target, ...at });

describe('judgeOpening', () => {
  it('lets TLS pass that names the host', () => {
    expect(judge(hello([serverName('listed.test')]))).toEqual({ kind: 'pass' });
    expect(judge(hello([serverName('LISTED.test.')]))).toEqual({ kind: 'pass' });
  });

  it.each([443, 80, 8443])('refuses TLS that names another host, on port %d', (port) => {
    const opening = judge(hello([serverName('other.test')]), { port });
    expect(opening).toEqual({ kind: 'refuse', reason: expect.stringContaining('"other.test"'), isTls: true });
  });

  it('refuses TLS that names no host where there is a name, and lets it pass where there is an address', () => {
    expect(judge(hello([]))).toMatchObject({ kind: 'refuse', reason: expect.stringContaining('SNI') });
    expect(judge(hello([]), { host: '192.0.2.1' })).toEqual({ kind: 'pass' });
    expect(judge(hello([]), { host: '2001:db8::1' })).toEqual({ kind: 'pass' });
    expect(judge(hello([serverName('other.test')]), { host: '192.0.2.1' })).toMatchObject({ kind: 'refuse' });
  });

  it('refuses TLS that hides the name', () => {
    const hidden = hello([serverName('listed.test'), [0xfe0d, Buffer.alloc(8)]]);
    expect(judge(hidden)).toMatchObject({ kind: 'refuse', reason: expect.stringContaining('ECH') });
  });

  it('hands plain HTTP on to be read', () => {
    expect(judge('GET / HTTP/1.1\r\n', { port: 80 })).toEqual({ kind: 'http' });
    expect(judge('DELETE ')).toEqual({ kind: 'http' });
  });

  it.each(['', 'G', 'OPTIONS', '\x16', '\x16\x03\x01\x02'])('waits for more than %j', (bytes) => {
    expect(judge(bytes)).toEqual({ kind: 'more' });
  });

  it.each([
    '\r\nGET / HTTP/1.1',
    'get / HTTP/1.1',
    'SSH-2.0-x',
    '\x80\x2e\x01\x00\x02',
    '\x16\x02\x00\x00\x01\x01',
    'A'.repeat(21),
  ])('refuses %j on the ports of the web, and lets it pass on others', (bytes) => {
    expect(judge(bytes)).toMatchObject({ kind: 'refuse', isTls: false });
    expect(judge(bytes, { port: 80 })).toMatchObject({ kind: 'refuse' });
    expect(judge(bytes, { port: 22 })).toEqual({ kind: 'pass' });
  });
});
