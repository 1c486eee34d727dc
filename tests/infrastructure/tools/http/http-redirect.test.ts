import { describe, expect, it } from '@jest/globals';
import { redirectOf } from '../../../../src/infrastructure/tools/http/http-redirect.js';

const request = { method: 'GET', url: 'https://a.example.com/x/y', headers: {} };
const reply = (status: number, location?: string) => ({
  status,
  statusText: '',
  version: '1.1',
  headers: location === undefined ? {} : { location },
  body: new Uint8Array(),
  isCut: false,
});

describe('redirectOf', () => {
  it.each([
    [200, 'https://b.example.com/'],
    [304, '/'],
    [302, undefined],
  ])('takes %i with location %p for an answer', (status, location) => {
    expect(redirectOf(request, reply(status, location))).toBeUndefined();
  });

  it('reads a location as relative to where it came from', () => {
    expect(redirectOf(request, reply(302, '../z'))?.url).toBe('https://a.example.com/z');
  });

  it('does not go from https to http', () => {
    expect(() => redirectOf(request, reply(302, 'http://a.example.com/'))).toThrow('not followed');
  });

  it('fails on a location that is no URL', () => {
    expect(() => redirectOf(request, reply(302, 'http://['))).toThrow('which is no URL');
  });

  it.each([
    ['POST', 307],
    ['POST', 308],
    ['PUT', 301],
    ['PATCH', 302],
    ['DELETE', 308],
  ])('does not carry a %s to another host after a %i, listed or not', (method, status) => {
    const change = { ...request, method, body: 'x' };
    expect(() => redirectOf(change, reply(status, 'https://b.example.com/'))).toThrow(
      'which is not followed',
    );
    expect(redirectOf(change, reply(status, '/elsewhere'))).toMatchObject({ method });
  });

  it('turns a POST into a GET where that is the custom, and then follows it', () => {
    const post = { ...request, method: 'POST', body: 'x' };
    expect(redirectOf(post, reply(302, 'https://b.example.com/'))).toMatchObject({ method: 'GET' });
  });
});
