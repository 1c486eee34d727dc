import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../src/domain/json.js';
import { ProviderRegistry } from '../../../../src/infrastructure/providers/provider-registry.js';
import { childProgram } from '../../../support/child-program.js';
import { OPENAI_COMPATIBLE_WIRE } from '../../../support/fake-model/chat-wire.js';
import { FakeModelServer } from '../../../support/fake-model/fake-model-server.js';
import { FakeProxy, type OnConnect } from '../../../support/fake-proxy.js';

// A name that nobody but the proxy can find.
const ADDRESS = 'http://model.test/v1';
const SAID = OPENAI_COMPATIBLE_WIRE.answer({ text: 'Hello.' }, true);

/** Asks a model behind a proxy twice, and tells what both saw. */
async function askBehind(onConnect: OnConnect, env: Record<string, string> = {}, options: JsonObject = {}) {
  await using server = await FakeModelServer.start();
  await using proxy = await FakeProxy.start(server, onConnect);
  server.will(SAID, SAID);
  const variables = Object.entries(env).map(([name, value]) => [name, value.replace('PROXY', proxy.host)]);
  const agent = await new ProviderRegistry({ env: Object.fromEntries(variables) }).create(
    'openai_compatible',
    {
      model: 'm',
      base_url: ADDRESS,
      max_retries: 0,
      ...options,
      ...(options.proxy === 'PROXY' ? { proxy: `http://${proxy.host}` } : {}),
    },
  );
  const ask = async () => {
    const { signal } = new AbortController();
    const messages = [{ role: 'user', content: 'go' }] as const;
    return (await agent.complete({ messages, tools: [], options: {} }, { signal })).message.content;
  };
  const said = await ask()
    .then(async (first) => [first, await ask()])
    .catch((error: Error) => error.message);
  return { said, connects: proxy.seen, paths: server.seen.map(({ path }) => path), host: proxy.host };
}

describe('a provider behind a proxy', () => {
  it('asks through one tunnel, which is kept for the next turn', async () => {
    const { said, connects, paths } = await askBehind('connect', { HTTP_PROXY: 'http://PROXY' });
    expect(said).toEqual(['Hello.', 'Hello.']);
    expect(connects).toEqual([{ target: 'model.test:80', authorization: undefined }]);
    expect(paths).toEqual(['/v1/chat/completions', '/v1/chat/completions']);
  });

  it('tells the proxy who asks', async () => {
    const { said, connects } = await askBehind('connect', { HTTP_PROXY: 'http://me:p%40ss@PROXY' });
    expect(said).toEqual(['Hello.', 'Hello.']);
    expect(connects[0]?.authorization).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`);
  });

  it('takes the proxy of its options first, and none where they say so', async () => {
    const env = { HTTP_PROXY: 'http://127.0.0.1:1' };
    expect((await askBehind('connect', env, { proxy: 'PROXY' })).said).toEqual(['Hello.', 'Hello.']);
    expect((await askBehind('connect', { HTTP_PROXY: 'http://PROXY' }, { proxy: false })).connects).toEqual(
      [],
    );
  });

  it('says that it was the proxy who refused, without its password', async () => {
    const { said, host } = await askBehind(407, { HTTP_PROXY: 'http://me:long-password@PROXY' });
    expect(said).toBe(`openai_compatible: the proxy ${host} does not connect to model.test:80: 407 No`);
  });

  it('says that it was the proxy who was not there', async () => {
    const { said } = await askBehind('connect', { HTTP_PROXY: '127.0.0.1:1' });
    expect(said).toBe('openai_compatible: the proxy 127.0.0.1:1 fails: connect ECONNREFUSED 127.0.0.1:1');
  });

  it('gives up a proxy that never answers when its time is up', async () => {
    const { said } = await askBehind('ignore', { HTTP_PROXY: 'http://PROXY' }, { timeout: '300ms' });
    expect(said).toContain('the reply took longer');
  });

  it.each([
    [
      'one that is no web proxy',
      { ALL_PROXY: 'socks5://127.0.0.1:1' },
      {},
      'other proxies are not spoken to',
    ],
    ['a broken one', { HTTP_PROXY: 'http://a:%zz@b' }, {}, 'must be written %25'],
    ['a password in a file', {}, { proxy: 'http://me:secret@b' }, 'must not hold a name or a password'],
  ])('refuses %s before it asks', async (_what, env, options, words) => {
    const made = new ProviderRegistry({ env }).create('openai_compatible', {
      model: 'm',
      base_url: ADDRESS,
      ...options,
    });
    await expect(made).rejects.toThrow(words);
    await expect(made).rejects.not.toThrow('secret');
  });
});

describe('TLS behind a proxy', () => {
  const PROGRAM = `
    import { ProviderRegistry } from '#src/infrastructure/providers/provider-registry.ts';
    const messages = [{ role: 'user', content: 'go' }];
    const options = { model: 'm', base_url: 'https://model.test', max_retries: 0, stream: false };
    new ProviderRegistry().create('openai_compatible', options)
      .then((agent) => agent.complete({ messages, tools: [], options: {} }, { signal: new AbortController().signal }))
      .then(({ message }) => console.log(message.content), (error) => console.log(error.message));
  `;

  it('is with the target itself: its certificate is checked', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolgate-tls-'));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const subject = ['-subj', '/CN=model.test', '-addext', 'subjectAltName=DNS:model.test'];
    const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    execFileSync('openssl', [...kind, ...subject, '-days', '1', '-keyout', key, '-out', cert], {
      stdio: 'ignore',
    });
    await using server = await FakeModelServer.start({ key: readFileSync(key), cert: readFileSync(cert) });
    await using proxy = await FakeProxy.start(server);
    server.will(OPENAI_COMPATIBLE_WIRE.answer({ text: 'Safe.' }, false));
    const program = childProgram(folder, PROGRAM);
    const run = (more: Record<string, string>) => {
      const env = { PATH: process.env.PATH, HTTPS_PROXY: `http://${proxy.host}`, ...more };
      return promisify(execFile)(process.execPath, [program], { env });
    };
    expect((await run({ NODE_EXTRA_CA_CERTS: cert })).stdout).toBe('Safe.\n');
    expect((await run({})).stdout).toContain('self-signed certificate');
    expect(proxy.seen.map(({ target }) => target)).toEqual(['model.test:443', 'model.test:443']);
    rmSync(folder, { recursive: true });
  });
});
