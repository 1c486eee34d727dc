import { describe, expect, it } from '@jest/globals';
import { proxyFromEnvironment } from '../../../../src/infrastructure/providers/http/proxy-choice.js';

const PROXY = 'http://proxy:3128';
const API = 'https://api.example.com/v1';

describe('the proxy of the environment', () => {
  it.each<[string, string, Record<string, string>, string | undefined]>([
    ['is none without a variable', API, {}, undefined],
    ['is that of the scheme', API, { HTTPS_PROXY: PROXY, HTTP_PROXY: 'http://other' }, PROXY],
    ['is not that of the other scheme', API, { HTTP_PROXY: PROXY }, undefined],
    ['is read for http too', 'http://api.example.com', { HTTP_PROXY: PROXY }, PROXY],
    ['is read in small letters first', API, { HTTPS_PROXY: 'http://other', https_proxy: PROXY }, PROXY],
    ['may be one for all', API, { ALL_PROXY: PROXY }, PROXY],
    ['is none where it is empty', API, { HTTPS_PROXY: ' ' }, undefined],
    ['may leave out the scheme', API, { HTTPS_PROXY: 'proxy:3128' }, PROXY],
    ['is not asked for this machine', 'http://127.0.0.1:11434', { HTTP_PROXY: PROXY }, undefined],
    ['is not asked for this machine by name', 'http://localhost:1', { HTTP_PROXY: PROXY }, undefined],
    ['is not asked for this machine in IPv6', 'http://[::1]:1', { HTTP_PROXY: PROXY }, undefined],
  ])('%s', (_what, address, env, expected) => {
    expect(proxyFromEnvironment(address, env)).toBe(expected);
  });

  it.each<[string, string, boolean]>([
    ['*', API, true],
    ['api.example.com', API, true],
    ['API.Example.com', API, true],
    ['example.com', API, true],
    ['.example.com', API, true],
    ['*.example.com', API, true],
    ['other.org, example.com', API, true],
    ['other.org example.com', API, true],
    ['example.com:443', API, true],
    ['example.com:8443', API, false],
    ['ample.com', API, false],
    ['api.example.com.evil.org', API, false],
    ['', API, false],
    [',', API, false],
    ['.', API, false],
    ['10.1.2.3', 'https://10.1.2.3:9', true],
    ['10.1.2.3:9', 'https://10.1.2.3:9', true],
    ['10.1.2.3', 'https://10.1.2.30', false],
    ['10.0.0.0/8', 'https://10.1.2.3:9', true],
    ['10.0.0.0/8', 'https://11.1.2.3', false],
    ['10.0.0.0/99', 'https://10.1.2.3', false],
    ['10.0.0.0/8', API, false],
    ['fd00::/8', 'https://[fd00::1]:9', true],
    ['fd00::/8', 'https://10.1.2.3', false],
    ['fd00::1', 'https://[fd00::1]:9', true],
    ['[fd00::1]:9', 'https://[fd00::1]:9', true],
  ])('has an exception: NO_PROXY="%s" for %s', (exceptions, address, isExcepted) => {
    const found = proxyFromEnvironment(address, { https_proxy: PROXY, no_proxy: exceptions });
    expect(found).toBe(isExcepted ? undefined : PROXY);
  });
});
