import { describe, expect, it } from '@jest/globals';
import { proxyVariables } from '../../../../src/infrastructure/sandbox/proxy/proxy-variables.js';

const URL = 'http://127.0.0.1:3128';

describe('proxyVariables', () => {
  it('names the proxy in every way that programs look for it', () => {
    expect(proxyVariables()).toEqual({
      ...{ HTTP_PROXY: URL, HTTPS_PROXY: URL, ALL_PROXY: URL, NO_PROXY: '' },
      ...{ http_proxy: URL, https_proxy: URL, all_proxy: URL, no_proxy: '' },
      NODE_USE_ENV_PROXY: '1',
    });
  });

  it('leaves the loopback of the sandbox to itself, unless that of the host is meant', () => {
    const exempt = (...privateHosts: string[]) => proxyVariables({ privateHosts }).NO_PROXY;
    expect(exempt()).toBe('localhost,127.0.0.1,::1');
    expect(exempt('10.0.0.0/8', 'db.internal')).toBe('localhost,127.0.0.1,::1');
    for (const meant of [
      'localhost',
      'localhost:8080',
      '127.0.0.1',
      '[::1]:80',
      '127.0.0.0/8',
      '0.0.0.0/0',
      '::/0',
    ]) {
      expect(exempt(meant)).toBe('');
    }
  });
});
