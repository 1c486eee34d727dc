import { describe, expect, it } from '@jest/globals';
import { NO_PERMISSIONS, type Permissions } from '../../src/domain/restrictions.js';
import { GuardedNetworkAccess } from '../../src/infrastructure/sandbox/guarded-network-access.js';
import { codeOf, NEVER } from '../infrastructure/sandbox/fixture.js';

const DENIED = 'EXECUTION.SANDBOX.DENIED';
const PUBLIC = '93.184.216.34';

/** Names as a hostile or careless DNS would answer them. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  localhost: ['127.0.0.1', '::1'],
  'ip6-localhost': ['::1'],
  'foo.localhost': ['127.0.0.1'],
  'rebound.test': [PUBLIC, '10.0.0.7'],
  'metadata.test': ['169.254.169.254'],
  'mapped.test': ['::ffff:192.168.0.1'],
  'nat64.test': ['64:ff9b::a9fe:a9fe'],
  'intranet.test': ['192.168.7.7'],
};

const asked: string[] = [];
const network = new GuardedNetworkAccess({
  lookup: async (host) => {
    asked.push(host);
    return (NAMES[host] ?? [PUBLIC, '2606:2800:220:1::1']).map((address) => ({ address, family: 0 }));
  },
});
const allow = (url: string, more: Partial<Permissions>) =>
  network.allow(url, { ...NO_PERMISSIONS, ...more }, { signal: NEVER });

describe('networks', () => {
  it.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.1/',
    'http://127.1/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://127.0.0.1.:80/',
    'http://127.0.0.2/',
    'http://0.0.0.0/',
    'http://0/',
    'http://[::]/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[64:ff9b:1::a00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:0:7f00:1::]/',
    'http://[fe80::1]/',
    'http://[fe80::1%25eth0]/',
    'http://[fd00::1]/',
    'http://[fec0::1]/',
    'http://[ff02::1]/',
    'http://[2001:db8::1]/',
    'http://[100::1]/',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://192.168.0.1/',
    'http://192.0.0.1/',
    'http://192.0.2.1/',
    'http://192.88.99.1/',
    'http://198.18.0.1/',
    'http://198.51.100.1/',
    'http://203.0.113.1/',
    'http://100.64.0.1/',
    'http://169.254.169.254/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://240.0.0.1/',
    'http://localhost/',
    'http://LOCALHOST./',
    'http://foo.localhost/',
    'http://ip6-localhost/',
    'http://①②⑦.⓪.⓪.①/',
    'http://127。0。0。1/',
    'http://rebound.test/',
    'http://metadata.test/',
    'http://mapped.test/',
    'http://nat64.test/',
    'http://93.184.216.34/',
    'http://example.org:8080/',
    'http://example.org:22/',
  ])('a list of all public hosts does not cover %s', async (url) => {
    expect(await codeOf(allow(url, { hosts: ['*'] }))).toBe(DENIED);
  });

  it.each([
    'http://evil.test/',
    'http://api.example.com@evil.test/',
    'http://api.example.com:80@evil.test/',
    'http://user:secret@api.example.com/',
    'http://api.example.com%40evil.test/',
    'http://api.example.com%2eevil.test/',
    'http://evil.test#@api.example.com/',
    'http://evil.test?@api.example.com/',
    'http://evil.test\\@api.example.com/',
    'http://api.example.com\\@evil.test/',
    'http://api.example.com.evil.test/',
    'http://xapi.example.com/',
    'http://evil-allowed.test/',
    'http://allowed.test/',
    'http://allowed.test.evil.test/',
    'http://evil.test%00.allowed.test/',
    'http://evil.test\0.allowed.test/',
    'http://api.example.com../',
    'http://аpi.example.com/',
    'http://api.example.com:8080/',
    'ftp://api.example.com/',
    'file:///etc/passwd',
    'data:text/plain,hi',
    'gopher://api.example.com/',
    'javascript:alert(1)',
    '//api.example.com/',
    'api.example.com',
    'http:api.example.com',
    'http:/api.example.com',
    'http:///api.example.com/',
    'http:\\\\api.example.com/',
    'ht\ntp://api.example.com/',
    ' http://api.example.com/',
    'http://api.exa\tmple.com/',
    'http://',
    '',
    `http://api.example.com/${'x'.repeat(9000)}`,
  ])('a list of hosts does not cover %j', async (url) => {
    asked.length = 0;
    expect(await codeOf(allow(url, { hosts: ['api.example.com', '*.allowed.test'] }))).toBe(DENIED);
    expect(asked).toEqual([]);
  });

  it.each([
    ['https://sub.allowed.test/', 'sub.allowed.test'],
    ['https://a.b.allowed.test/x?y=%00#z', 'a.b.allowed.test'],
    ['http://API.Example.com/', 'api.example.com'],
    ['https://api.example.com./', 'api.example.com'],
    ['http://api.example.com:443/', 'api.example.com'],
    ['http://ａｐｉ.example.com/', 'api.example.com'],
    ['http://bücher.test:8080/', 'xn--bcher-kva.test'],
  ])('a list of hosts covers %s', async (url, host) => {
    const hosts = ['api.example.com', '*.allowed.test', 'Bücher.test:8080'];
    const target = await allow(url, { hosts });
    expect(target.url.hostname).toBe(host);
    expect(target.addresses).toEqual([
      { address: PUBLIC, family: 4 },
      { address: '2606:2800:220:1::1', family: 6 },
    ]);
  });

  it('reaches nothing where no host is listed', async () => {
    expect(await codeOf(allow('http://evil.test/', {}))).toBe(DENIED);
    expect(await codeOf(allow('http://127.0.0.1/', { privateHosts: ['127.0.0.1'] }))).toBe(DENIED);
  });

  it.each([
    ['http://127.0.0.1:8080/', ['127.0.0.1:8080'], ['127.0.0.1']],
    ['http://127.0.0.1:8080/', ['127.0.0.1:8080'], ['127.0.0.1:8080']],
    ['http://[::1]:3000/', ['[::1]:3000'], ['::1']],
    ['http://localhost:3000/', ['localhost:3000'], ['localhost']],
    ['http://localhost/', ['localhost'], ['127.0.0.1', '::1']],
    ['http://intranet.test/', ['intranet.test'], ['192.168.0.0/16']],
    ['http://intranet.test/', ['*'], ['intranet.test']],
    ['http://10.1.2.3/', ['10.1.2.3'], ['10.0.0.0/8']],
    [`http://${PUBLIC}/`, [PUBLIC], []],
  ])('a private host that is meant is reached: %s', async (url, hosts, privateHosts) => {
    expect((await allow(url, { hosts, privateHosts })).addresses.length).toBeGreaterThan(0);
  });

  it.each([
    ['http://127.0.0.1:8080/', ['127.0.0.1:8080'], []],
    ['http://127.0.0.1:8080/', ['127.0.0.1:8080'], ['127.0.0.1:9090']],
    ['http://127.0.0.1/', ['*'], ['127.0.0.1']],
    ['http://localhost/', ['localhost'], ['127.0.0.1']],
    ['http://localhost/', ['localhost'], ['*']],
    ['http://rebound.test/', ['rebound.test'], ['192.168.0.0/16']],
  ])(
    'a private host that is not quite meant is not reached: %s with %j and %j',
    async (url, hosts, privateHosts) => {
      expect(await codeOf(allow(url, { hosts, privateHosts }))).toBe(DENIED);
    },
  );

  it('says which host is refused, and why', async () => {
    await expect(allow('http://metadata.test/', { hosts: ['*'] })).rejects.toThrow(
      '"metadata.test" is refused: it leads to 169.254.169.254, not a public address; if it is meant, list it under private_hosts',
    );
    await expect(allow('http://evil.test/', { hosts: ['a.test'] })).rejects.toThrow('(listed: a.test)');
  });
});
