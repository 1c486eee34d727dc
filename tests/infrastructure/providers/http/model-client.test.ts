import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../src/domain/json.js';
import { createClient } from '../../../../src/infrastructure/providers/http/create-client.js';
import type { HttpSettings } from '../../../../src/infrastructure/providers/http/http-settings.js';
import type { ModelCall } from '../../../../src/infrastructure/providers/http/model-client.js';
import { badReply } from '../../../../src/infrastructure/providers/http/provider-error.js';
import type { StreamFormat } from '../../../../src/infrastructure/providers/http/read-reply.js';
import { events, hangUp, json, page, silence, streamOf } from '../../../support/fake-model/answers.js';
import { type Answer, FakeModelServer } from '../../../support/fake-model/fake-model-server.js';

const SETTINGS: HttpSettings = {
  model: 'm',
  baseUrl: 'unused',
  apiKey: 'secret-key-1234',
  headers: {},
  stream: true,
  timeoutMs: 60_000,
  idleTimeoutMs: 60_000,
  maxRetries: 3,
  extra: {},
};
const HELLO = [{ n: 1 }, { n: 2, done: true }];

/** Collects the events of a stream; whole once one of them says `done`. */
function callOf(url: string, format: StreamFormat | 'whole' = 'sse'): ModelCall<readonly JsonObject[]> {
  const reader = () => {
    const taken: JsonObject[] = [];
    return {
      take: (event: JsonObject) => taken.push(event) > 0 && event.done === true,
      finish: () => {
        if (taken.at(-1)?.done === true) return taken;
        throw badReply('the stream ended before the reply did');
      },
    };
  };
  const request = { url: `${url}/v1/ask`, headers: { 'x-key': 'secret-key-1234' }, body: '{"q":1}' };
  const whole = (body: JsonObject) => [body];
  return format === 'whole' ? { request, whole } : { request, whole, stream: { format, reader } };
}

interface Trial {
  readonly settings?: Partial<HttpSettings>;
  readonly format?: StreamFormat | 'whole';
  readonly signal?: AbortSignal;
}

/** Asks a server that gives these answers; `waits` has what was waited between tries, which takes no time here. */
async function ask(answers: readonly Answer[], { settings, format, signal }: Trial = {}) {
  await using server = await FakeModelServer.start();
  server.will(...answers);
  const waits: number[] = [];
  const pause = async (ms: number) => void waits.push(ms);
  const client = createClient(
    'somebody',
    { ...SETTINGS, ...settings },
    { env: {}, pause, maxReplyBytes: 1_000_000 },
  );
  const asked = client.ask(callOf(server.url, format), signal ?? new AbortController().signal);
  const outcome = await asked.then(
    (reply) => ({ reply, error: undefined }),
    (error) => ({ reply: undefined, error }),
  );
  return { ...outcome, waits, requests: server.seen.length };
}

function errorBody(type: string, message: string, more: JsonObject = {}): JsonObject {
  return { type: 'error', error: { type, message, ...more }, request_id: 'req_7' };
}

describe('ModelClient', () => {
  it.each<[number, string, number]>([
    [400, 'EXECUTION.PROVIDER.INVALID_REQUEST', 1],
    [401, 'EXECUTION.PROVIDER.AUTH', 1],
    [402, 'EXECUTION.PROVIDER.QUOTA', 1],
    [403, 'EXECUTION.PROVIDER.AUTH', 1],
    [404, 'EXECUTION.PROVIDER.INVALID_REQUEST', 1],
    [408, 'EXECUTION.PROVIDER.TIMEOUT', 3],
    [409, 'EXECUTION.PROVIDER.INVALID_REQUEST', 3],
    [413, 'EXECUTION.PROVIDER.INVALID_REQUEST', 1],
    [429, 'EXECUTION.PROVIDER.RATE_LIMITED', 3],
    [500, 'EXECUTION.PROVIDER.FAILED', 3],
    [501, 'EXECUTION.PROVIDER.FAILED', 1],
    [502, 'EXECUTION.PROVIDER.FAILED', 3],
    [503, 'EXECUTION.PROVIDER.OVERLOADED', 3],
    [504, 'EXECUTION.PROVIDER.TIMEOUT', 3],
    [529, 'EXECUTION.PROVIDER.OVERLOADED', 3],
  ])('makes %i the failure %s, after %i tries', async (status, code, tries) => {
    const answer = json(errorBody('a_type', 'What it says.'), status);
    const { error, requests } = await ask([answer, answer, answer], { settings: { maxRetries: 2 } });
    const often = tries > 1 ? ` (tried ${tries} times)` : '';
    expect(error).toMatchObject({
      code,
      message: `somebody: ${status} a_type: What it says. [request req_7]${often}`,
    });
    expect(requests).toBe(tries);
  });

  it('waits longer each time, and a little less than others do', async () => {
    const { reply, waits } = await ask([hangUp, json({}, 529), json({}, 500), events(HELLO)]);
    expect(reply).toEqual(HELLO);
    expect(waits).toHaveLength(3);
    expect(waits.every((ms, index) => ms <= 500 * 2 ** index && ms >= 375 * 2 ** index)).toBe(true);
  });

  it.each<[Record<string, string>, number]>([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after-ms': '120', 'retry-after': '7' }, 120],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 0],
  ])('waits as long as it is told: %j', async (headers, wait) => {
    const { reply, waits } = await ask([json({}, 429, headers), events(HELLO)]);
    expect({ reply, waits }).toEqual({ reply: HELLO, waits: [wait] });
  });

  it("waits as long as Google's error says", async () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1.5s' }];
    const error = { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'slow down', details };
    expect((await ask([json({ error }, 429), events(HELLO)])).waits).toEqual([1_500]);
  });

  it.each<[string, Answer, string]>([
    ['who must wait an hour', json({}, 429, { 'retry-after': '3600' }), 'RATE_LIMITED'],
    ['who is told not to', json({}, 500, { 'x-should-retry': 'false' }), 'FAILED'],
    [
      'whose money is spent',
      json(
        errorBody('rate_limit_error', 'no', { details: { error_code: 'enforced_spend_limit_reached' } }),
        429,
      ),
      'QUOTA',
    ],
    ['whose quota is used up', json({ error: { code: 'insufficient_quota', message: 'pay' } }, 429), 'QUOTA'],
  ])('does not let somebody ask again %s', async (_name, answer, code) => {
    const { error, requests } = await ask([answer, events(HELLO)]);
    expect(error).toMatchObject({ code: `EXECUTION.PROVIDER.${code}` });
    expect(requests).toBe(1);
  });

  it.each<[string, Answer, string]>([
    [
      'a page of a gateway',
      page('<html><head><title>502 Bad\n Gateway</title>', 502),
      '502: an HTML page: 502 Bad Gateway',
    ],
    ['words', page('upstream died', 400, 'text/plain'), '400: "upstream died"'],
    ['nothing', page('', 400, 'text/plain'), '400: no message'],
    ['a text for an error', json({ error: 'model not found' }, 404), '404: model not found'],
    ['a list', json([{ error: { status: 'INVALID', message: 'bad' } }], 400), '400 INVALID: bad'],
    ['strange JSON', json([null], 400), '400: no message'],
    ['an endless page', page('x'.repeat(5_000_000), 400, 'text/plain'), '400: "xxx'],
  ])('says what an error of %s says', async (_name, answer, message) => {
    const { error } = await ask([answer], { settings: { maxRetries: 0 } });
    expect(error.message).toContain(`somebody: ${message}`);
    expect(error.message.length).toBeLessThan(2_500);
  });

  it('follows no redirect: the key would go along', async () => {
    const { error, requests } = await ask([
      (response) => response.writeHead(307, { location: 'http://127.0.0.1:1/other' }).end(),
    ]);
    expect(error.message).toContain('a redirect to http://127.0.0.1:1/other, which is not followed');
    expect(requests).toBe(1);
  });

  it('never shows the key, whoever says it', async () => {
    const { error } = await ask([json(errorBody('authentication_error', 'secret-key-1234 is wrong'), 401)]);
    expect(error.message).toBe('somebody: 401 authentication_error: [redacted] is wrong [request req_7]');
    expect(error.cause).toBeUndefined();
  });

  it.each<[string, Answer, string]>([
    ['a page', page('<title>Log in</title>', 200), 'an HTML page: Log in; is base_url right?'],
    ['no JSON', streamOf(['data: {"n":\n\n']), 'the reply is not JSON: "{\\"n\\":"'],
    ['no object', streamOf(['data: [1]\n\n']), 'the reply is not a JSON object'],
    [
      'too deep',
      streamOf([`data: {"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}\n\n`]),
      'the reply is not JSON',
    ],
    ['no end', events([{ n: 1 }]), 'the stream ended before the reply did'],
    ['nothing', events([]), 'the stream ended before the reply did'],
    ['bytes that are no text', streamOf([Uint8Array.of(0xff, 0xfe, 0x0a, 0x0a)]), 'the stream ended before'],
  ])('fails on a reply of %s', async (_name, answer, message) => {
    const { error, requests } = await ask([answer, events(HELLO)]);
    expect(error).toMatchObject({
      code: 'EXECUTION.PROVIDER.BAD_REPLY',
      message: expect.stringContaining(message),
    });
    expect(requests).toBe(1);
  });

  it.each<[string, () => string | Uint8Array]>([
    ['one line without an end', () => 'data: x'.padEnd(100_000, 'x')],
    ['events without an end', () => 'data: {"n":1}\n\n'.repeat(1_000)],
  ])('takes no more than it can hold: %s', async (_name, piece) => {
    const endless: Answer = async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const text = piece(); !response.destroyed; ) {
        await new Promise((written) => response.write(text, written));
      }
    };
    const { error } = await ask([endless]);
    expect(error).toMatchObject({ code: 'EXECUTION.PROVIDER.BAD_REPLY' });
    expect(error.message).toContain('more than 1000000 bytes');
  });

  it('unpacks what is packed, and counts it unpacked', async () => {
    const packed =
      (text: string): Answer =>
      (response) =>
        response
          .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
          .end(gzipSync(text));
    expect((await ask([packed('{"a":1}')], { format: 'whole' })).reply).toEqual([{ a: 1 }]);
    const bomb = await ask([packed(`"${'x'.repeat(5_000_000)}"`)], { format: 'whole' });
    expect(bomb.error.message).toContain('more than 1000000 bytes');
  });

  it('reads a stream however it is cut, with any line ends', async () => {
    const text = 'event: x\r\ndata: {"n":"é€😀"}\r\n\r\n: a comment\r\ndata: {"done":true}\r\n\r\n';
    const bytes = new TextEncoder().encode(text);
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expect((await ask([streamOf(single)])).reply).toEqual([{ n: 'é€😀' }, { done: true }]);
  });

  it('passes over events without data, which keep a connection open', async () => {
    const text = 'data:\n\ndata: \n\nevent: ping\ndata\n\ndata: {"done":true}\n\n';
    expect((await ask([streamOf([text])])).reply).toEqual([{ done: true }]);
  });

  it('reads lines of JSON', async () => {
    const pieces = ['{"n"', ':1}\n\n{"n":2}\n{"n"', ':3,"done":true}'];
    expect((await ask([streamOf(pieces)], { format: 'lines' })).reply).toEqual([
      { n: 1 },
      { n: 2 },
      { n: 3, done: true },
    ]);
  });

  it('takes the whole where a stream was asked for, and stops at [DONE]', async () => {
    expect((await ask([json({ a: 1 })])).reply).toEqual([{ a: 1 }]);
    const done = streamOf(['data: {"done":true}\n\ndata: [DONE]\n\ndata: nonsense\n\n']);
    expect((await ask([done])).reply).toEqual([{ done: true }]);
  });

  it('does not wait for the end of a response once the reply is whole', async () => {
    expect((await ask([events(HELLO, 'hang')])).reply).toEqual(HELLO);
  });

  it('keeps the connection from turn to turn', async () => {
    await using server = await FakeModelServer.start();
    server.will(events(HELLO), events(HELLO));
    const client = createClient('somebody', SETTINGS, { env: {} });
    const { signal } = new AbortController();
    await client.ask(callOf(server.url), signal);
    await new Promise((turn) => setImmediate(turn));
    await client.ask(callOf(server.url), signal);
    expect(server.seen[0]?.closed).toBe(server.seen[1]?.closed);
  });

  it.each<[string, Answer]>([
    ['before anything came', hangUp],
    ['in the middle of the first event', events([{ n: 1 }], 'reset', 5)],
  ])('asks again when the connection breaks %s', async (_name, answer) => {
    expect(await ask([answer, events(HELLO)])).toMatchObject({ reply: HELLO, requests: 2 });
  });

  it('does not ask again when it breaks in the middle of a later event', async () => {
    const { error, requests } = await ask([events([{ n: 1 }, { n: 2 }], 'reset', 5), events(HELLO)]);
    expect(error).toMatchObject({ code: 'EXECUTION.PROVIDER.CONNECTION' });
    expect(requests).toBe(1);
  });

  it('says that nobody is there, and which name does not exist', async () => {
    const client = createClient(
      'somebody',
      { ...SETTINGS, maxRetries: 1 },
      { env: {}, pause: async () => undefined },
    );
    const { signal } = new AbortController();
    await expect(client.ask(callOf('http://127.0.0.1:1'), signal)).rejects.toMatchObject({
      code: 'EXECUTION.PROVIDER.CONNECTION',
      message:
        'somebody: connect ECONNREFUSED 127.0.0.1:1: nothing listens there (does it run? is base_url right?) (tried 2 times)',
    });
    await expect(client.ask(callOf('http://nowhere.invalid'), signal)).rejects.toMatchObject({
      code: 'EXECUTION.PROVIDER.CONNECTION',
      message: expect.stringContaining('nowhere.invalid'),
    });
  });

  it('asks again when nothing comes, and gives up in the end', async () => {
    const settings = { idleTimeoutMs: 1_000, maxRetries: 1 };
    expect(await ask([silence, events(HELLO)], { settings })).toMatchObject({ reply: HELLO });
    const { error } = await ask([silence, silence], { settings });
    expect(error).toMatchObject({
      code: 'EXECUTION.PROVIDER.TIMEOUT',
      message: 'somebody: nothing came for 1000 ms (idle_timeout) (tried 2 times)',
    });
  });

  it('has a time for all tries together, also for a reply that drips', async () => {
    const drip: Answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const timer = setInterval(() => response.write(': still here\n\n'), 5);
      response.on('close', () => clearInterval(timer));
    };
    const { error, requests } = await ask([drip, events(HELLO)], { settings: { timeoutMs: 1_500 } });
    expect(error).toMatchObject({ code: 'EXECUTION.PROVIDER.TIMEOUT' });
    expect(requests).toBe(1);
    const late = await ask([json({}, 429, { 'retry-after': '30' })], { settings: { timeoutMs: 5_000 } });
    expect(late).toMatchObject({ error: { code: 'EXECUTION.PROVIDER.RATE_LIMITED' }, waits: [] });
  });

  it('stops waiting when it is cancelled', async () => {
    await using server = await FakeModelServer.start();
    server.will(json({}, 529, { 'retry-after': '50' }));
    const client = createClient('somebody', SETTINGS, { env: {} });
    const stop = new AbortController();
    const asked = client.ask(callOf(server.url), stop.signal);
    while (server.seen.length === 0) await new Promise((turn) => setImmediate(turn));
    stop.abort();
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
  });
});
