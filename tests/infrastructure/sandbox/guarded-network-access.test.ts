import { describe, expect, it } from '@jest/globals';
import { NO_PERMISSIONS } from '../../../src/domain/restrictions.js';
import { GuardedNetworkAccess } from '../../../src/infrastructure/sandbox/guarded-network-access.js';
import { codeOf, NEVER } from './fixture.js';

const permissions = { ...NO_PERMISSIONS, hosts: ['*', 'localhost'], privateHosts: ['localhost'] };

describe('GuardedNetworkAccess', () => {
  it('looks names up by the system where it is not told otherwise', async () => {
    const network = new GuardedNetworkAccess();
    const { addresses } = await network.allow('http://localhost/', permissions, { signal: NEVER });
    expect(addresses.map(({ address }) => address)).toContain('127.0.0.1');
  });

  it('does not wait for a name longer than the call lasts', async () => {
    const network = new GuardedNetworkAccess({ lookup: () => new Promise(() => {}) });
    const waiting = network.allow('http://slow.test/', permissions, { signal: AbortSignal.timeout(20) });
    await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it.each([
    ['http://127.0.0.1:8080/', 'the host is listed, but not with this port', 'list it as "127.0.0.1:8080"'],
    ['http://[::1]:8080/', 'the host is listed, but not with this port', 'list it as "[::1]:8080"'],
    [
      'https://a.sub.test:8443/',
      'the host is listed, but not with this port',
      'list it as "a.sub.test:8443"',
    ],
    ['http://127.0.0.2/', 'it is not one of the hosts', 'an address must be listed as such'],
    ['http://sub.test/', 'it is not one of the hosts', 'listed: 127.0.0.1, ::1, *.sub.test'],
  ])('says of %s whether its host or its port is the reason', async (url, reason, hint) => {
    const hosts = ['127.0.0.1', '::1', '*.sub.test'];
    const asked = new GuardedNetworkAccess().allow(url, { ...NO_PERMISSIONS, hosts }, { signal: NEVER });
    const message = await asked.then(String, (error: Error) => error.message);
    expect(message).toContain(reason);
    expect(message).toContain(hint);
  });

  it.each([
    ['nonsense', 'it is none; write it whole'],
    ['example.com/x', 'it is none; write it whole'],
    ['ftp://example.com/', 'only http and https are allowed'],
  ])('says what is wrong with %s', async (url, problem) => {
    const asked = new GuardedNetworkAccess().allow(url, permissions, { signal: NEVER });
    await expect(asked).rejects.toThrow(problem);
  });

  it('says that a name was not found', async () => {
    const failing = new GuardedNetworkAccess({ lookup: () => Promise.reject(new Error('ENOTFOUND')) });
    const empty = new GuardedNetworkAccess({ lookup: async () => [] });
    for (const network of [failing, empty]) {
      const asked = network.allow('http://none.test/', permissions, { signal: NEVER });
      expect(await codeOf(asked)).toBe('EXECUTION.TOOL.FAILED');
    }
  });
});
