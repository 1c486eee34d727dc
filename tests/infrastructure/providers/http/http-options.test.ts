import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../src/domain/json.js';
import { HttpOptions } from '../../../../src/infrastructure/providers/http/http-options.js';

const SPEC = {
  name: 'somebody',
  baseUrl: 'https://api.example.com/',
  keyVariables: ['FIRST_KEY', 'SECOND_KEY'],
  isKeyRequired: true,
  ownOptions: ['cache'],
  bodyKeys: ['messages'],
};
const ENV = { SECOND_KEY: ' key-1234 ', MINE: 'mine-1234', BROKEN: 'a\nb', EMPTY: ' ' };

function read(options: JsonObject, env: Readonly<Record<string, string>> = ENV) {
  return new HttpOptions(SPEC, { model: 'm', ...options }, env).settings();
}

function problemOf(options: JsonObject, env?: Readonly<Record<string, string>>): unknown {
  try {
    read(options, env);
  } catch (error) {
    return error;
  }
  return 'no problem';
}

describe('HttpOptions', () => {
  it('has defaults for everything but the model and the key', () => {
    expect(read({ step: 'one', script_offset: 0 })).toEqual({
      model: 'm',
      baseUrl: 'https://api.example.com',
      apiKey: 'key-1234',
      headers: {},
      stream: true,
      timeoutMs: 600_000,
      idleTimeoutMs: 300_000,
      maxRetries: 3,
      extra: {},
    });
  });

  it('reads them all, also where a template wrote them as text', () => {
    const options = {
      base_url: 'http://127.0.0.1:8080/v1/',
      api_key_env: 'MINE',
      headers: { 'X-Team': 'tools' },
      stream: 'false',
      timeout: 90,
      idle_timeout: '1m30s',
      max_retries: '0',
      max_tokens: 1_000,
      temperature: '0.7',
      extra: { top_p: 0.9 },
      prices: { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 },
      cache: true,
    };
    expect(read(options)).toEqual({
      model: 'm',
      baseUrl: 'http://127.0.0.1:8080/v1',
      apiKey: 'mine-1234',
      headers: { 'x-team': 'tools' },
      stream: false,
      timeoutMs: 90_000,
      idleTimeoutMs: 90_000,
      maxRetries: 0,
      maxTokens: 1_000,
      temperature: 0.7,
      extra: { top_p: 0.9 },
      price: { isGiven: true, input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
    });
  });

  it.each<[string, JsonObject, string]>([
    ['no model', { model: '' }, "options.model is missing: the model's name"],
    ['a path for a model', { model: 'a/../../b' }, 'options.model is not the name of a model'],
    ['an unknown key', { seed: 5 }, 'options.seed is not known (known: model, base_url'],
    ['a key the API may know', { seed: 5 }, 'what only the API knows goes into extra'],
    ['a mistyped key', { max_token: 5 }, 'options.max_token is not known; did you mean max_tokens?'],
    ['a key in the file', { api_key: 'sk-1' }, 'options.api_key is not taken from a file'],
    ['no URL', { base_url: 'api.example.com' }, 'options.base_url must be a URL, not "api.example.com"'],
    ['another protocol', { base_url: 'ftp://x' }, 'options.base_url must begin with https:// or http://'],
    ['a password in no URL', { base_url: 'https://a:b@x:99999' }, 'must be a URL, not "…@x:99999"'],
    ['a password', { base_url: 'https://a:b@x' }, 'options.base_url must not hold a name or a password'],
    ['a query', { base_url: 'https://x/?a=b' }, 'options.base_url must end before the ? and the #'],
    ['an open line', { base_url: 'http://models.lan' }, 'options.base_url would send the key unencrypted'],
    ['a trick', { base_url: 'http://localhost.evil.com' }, 'would send the key unencrypted'],
    ['another trick', { base_url: 'http://127.0.0.1.evil.com:80' }, 'would send the key unencrypted'],
    ['no time', { timeout: 'soon' }, 'options.timeout must be a time'],
    ['too long', { idle_timeout: '9999h' }, 'options.idle_timeout must be a time'],
    ['zero', { timeout: 0 }, 'options.timeout must be a time'],
    [
      'fewer than none',
      { max_retries: -1 },
      'options.max_retries must be a whole number that is not less than 0',
    ],
    ['half a try', { max_retries: 1.5 }, 'options.max_retries must be a whole number'],
    [
      'no room at all',
      { max_tokens: 0 },
      'options.max_tokens must be a whole number that is not less than 1',
    ],
    ['half a token', { max_tokens: '1.5' }, 'options.max_tokens must be a whole number'],
    [
      'a price below nothing',
      { prices: { input: -1, output: 1 } },
      'options.prices.input must be a number that is not negative, not -1',
    ],
    ['a word for a number', { max_tokens: 'many' }, 'options.max_tokens must be a whole number'],
    ['a word for a switch', { stream: 'maybe' }, 'options.stream must be true or false'],
    ['our own members', { extra: { messages: [] } }, 'options.extra must not have messages'],
    ['a secret header', { headers: { Authorization: 'x' } }, "Authorization is a secret's place"],
    ['another length', { headers: { 'Content-Length': '0' } }, 'Content-Length is written for you'],
    ['a split header', { headers: { a: 'x\r\ny: z' } }, 'options.headers "a" is not a header with a text'],
    ['half a price', { prices: { input: 3 } }, 'options.prices needs input and output'],
    ['a strange price', { prices: { inputs: 3 } }, 'options.prices.inputs is not known; did you mean input?'],
    ['a key that is none', { api_key_env: 'BROKEN' }, 'options.api_key_env names BROKEN, whose value'],
  ])('refuses %s', (_name, options, message) => {
    const problem = problemOf(options);
    expect(problem).toMatchObject({ code: 'WORKFLOW.PROVIDER.INVALID_OPTIONS' });
    expect((problem as Error).message).toContain(message);
    expect((problem as Error).message).not.toContain('key-1234');
  });

  it('says of a wrong price only what is wrong', () => {
    expect((problemOf({ prices: { input: -1, output: 1 } }) as Error).message).not.toContain('needs input');
  });

  it('says all that is wrong at once', () => {
    expect((problemOf({ model: 7, stream: 1, x: 1 }) as Error).message.split('\n')).toHaveLength(5);
  });

  it.each([
    ['nothing is set', {}, {}, 'FIRST_KEY or SECOND_KEY'],
    ['the variable is empty', { api_key_env: 'EMPTY' }, ENV, 'EMPTY'],
    ['the variable is not there', { api_key_env: 'constructor' }, ENV, 'constructor'],
  ])('says which variable is missing when %s', (_name, options, env, names) => {
    expect(problemOf(options, env)).toMatchObject({
      code: 'USER.PROVIDER.NO_KEY',
      message: `The provider "somebody" needs a key: set ${names} in the environment, or name another variable with api_key_env`,
    });
  });

  it('sends a key over an open line only where that is meant', () => {
    expect(read({ base_url: 'http://models.lan', insecure_http: true }).baseUrl).toBe('http://models.lan');
    expect(read({ base_url: 'http://[::1]:8080' }).baseUrl).toBe('http://[::1]:8080');
  });
});
