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

/** Collects the events of a stream; at its end once one of them says `done`, or whole with more to come. */
function callOf(url: string, format: StreamFormat | 'whole' = 'sse'): ModelCall<readonly JsonObject[]> {
  const reader = () => {
    const taken: JsonObject[] = [];
    return {
      take: (event: JsonObject) => taken.push(event) > 0 && event.done === true,
      get isWhole() {
        return taken.at(-1)?.whole === true;
      },
      finish() {
        if (this.isWhole || taken.at(-1)?.done === true) return taken;
        throw badReply('the stream ended before the reply did');
      },
    };
  };
  const request = { url: `${url}/v1/ask`, headers: { 'x-key': 'secret-key-1234' }, body: '{"q":1}' };
  const whole = (body: JsonObject) => [body];
  const isStreamed = format !== 'whole';
  return { request, whole, reader, isStreamed, format: isStreamed ? format : 'sse' };
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
    [505, 'EXECUTION.PROVIDER.FAILED', 1],
    [520, 'EXECUTION.PROVIDER.FAILED', 3],
    [522, 'EXECUTION.PROVIDER.FAILED', 3],
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
  ])('waits as long as it is told: %j', async (headers, wait) => {
    const { reply, waits } = await ask([json({}, 429, headers), events(HELLO)]);
    expect({ reply, waits }).toEqual({ reply: HELLO, waits: [wait] });
  });

  it.each<Record<string, string>>([
    { 'retry-after': '0' },
    { 'retry-after': '-5' },
    { 'retry-after-ms': '0' },
    { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' },
    { 'retry-after': 'soon' },
  ])('waits as always when it is told to wait no time: %j', async (headers) => {
    const { waits } = await ask([json({}, 429, headers), events(HELLO)]);
    expect(waits.every((ms) => ms >= 375 && ms <= 500)).toBe(true);
    expect(waits).toHaveLength(1);
  });

  it('says how long it would have to wait', async () => {
    const { error } = await ask([json({ error: 'slow down' }, 429, { 'retry-after': '3600' })]);
    expect(error.message).toBe('somebody: 429: slow down; it asks to wait 3600 s');
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
    ['words', page('invalid key', 200, 'text/plain'), 'the reply is not JSON: "invalid key"'],
    ['other words', page('upstream died', 200, 'application/json'), 'not JSON: "upstream died"'],
    ['no JSON', streamOf(['data: {"n":\n\n']), 'the reply is not JSON: "{\\"n\\":"'],
    ['no object', streamOf(['data: [1]\n\n']), 'the reply is not a JSON object'],
    [
      'too deep',
      streamOf([`data: {"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}\n\n`]),
      'the reply is not JSON',
    ],
    ['no end', events([{ n: 1 }]), 'the stream ended before the reply did'],
    ['nothing', events([]), 'the stream ended before the reply did'],
    ['bytes that are no text', streamOf([Uint8Array.of(0xff, 0xfe, 0x0a, 0x0a)]), 'the reply is not JSON'],
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

  it.each<[string, string]>([
    ['a label of a stream', 'text/event-stream'],
    ['a label of words', 'text/plain'],
    ['a label of bytes', 'application/octet-stream'],
    ['a label of a page', 'text/html'],
    ['no label', ''],
  ])('takes the whole for what it is, with %s', async (_name, type) => {
    const answer: Answer = (response) =>
      response.writeHead(200, type === '' ? {} : { 'content-type': type }).end('\n {"a":\n1}\n');
    for (const format of ['sse', 'lines', 'whole'] as const)
      expect((await ask([answer], { format })).reply).toEqual([{ a: 1 }]);
  });

  it.each(['sse', 'lines', 'whole'] as const)(
    'takes a list of events for what it is (%s)',
    async (format) => {
      expect((await ask([json(HELLO)], { format })).reply).toEqual(HELLO);
      expect((await ask([page('[\n{"n":1},\n{"done":true}]', 200, 'x/y')], { format })).reply).toEqual([
        { n: 1 },
        { done: true },
      ]);
      const { error } = await ask([json([{ n: 1 }, 7])], { format });
      expect(error.message).toContain('the reply is not a JSON object');
    },
  );

  it.each(['sse', 'lines', 'whole'] as const)('takes a stream for what it is (%s)', async (format) => {
    const text = ': hello\n\ndata: {"n":1}\n\ndata: {"done":true}\n\n';
    expect((await ask([page(text, 200, 'application/json')], { format })).reply).toEqual([
      { n: 1 },
      { done: true },
    ]);
  });

  it.each<[string, string, string]>([
    ['an event of that name', 'event: error\ndata: {"message":"boom","code":500}\n\n', '500: boom'],
    ['an event with words', 'event: error\ndata: it broke\n\n', '"it broke"'],
    ['an event with a text', 'event: error\ndata: "it broke"\n\n', 'it broke'],
    [
      'a field of that name',
      'error: {"code":500,"message":"no context","type":"x"}\n\n',
      '500 x: no context',
    ],
    ['a code in words', 'event: error\ndata: {"error":{"message":"slow","code":"429"}}\n\n', '429: slow'],
  ])('says what went wrong in %s', async (_name, text, message) => {
    const { error } = await ask([streamOf([text])], { settings: { maxRetries: 0 } });
    expect(error.message).toBe(`somebody: ${message}`);
  });

  it('asks again when nothing but a sign of life came before an error that passes', async () => {
    const error = 'event: error\ndata: {"message":"boom","code":500}\n\n';
    const answer = streamOf(['event: ping\ndata: {"type":"ping"}\n\n', error]);
    expect(await ask([answer, events(HELLO)])).toMatchObject({ reply: HELLO, requests: 2 });
    expect(await ask([streamOf(['data: {"n":1}\n\n', error]), events(HELLO)])).toMatchObject({ requests: 1 });
  });

  it.each([
    'registry.ollama.ai/library/gemma:2b does not support tools',
    'No endpoints found that support tool use. To learn more …',
    '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    'tools param requires --jinja flag',
    'Function calling is not enabled for models/gemma-3-27b-it',
    "Unsupported parameter: 'tools' is not supported with this model.",
    'deepseek-reasoner does not support Function Calling',
  ])('knows a way out when it hears: %s', async (said) => {
    for (const answer of [json({ error: said }, 400), page(said, 400, 'text/plain')]) {
      const { error } = await ask([answer]);
      expect(error.message).toContain('give the step `tool_protocol: text`');
    }
  });

  it.each(['tools[0].name is not valid', 'this model does not support tool_choice required'])(
    'says nothing of it when it hears: %s',
    async (said) => {
      const { error } = await ask([json({ error: said }, 400)]);
      expect(error.message).toBe(`somebody: 400: ${said}`);
    },
  );

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

  it.each(['reset', 'hang', 'end'] as const)(
    'has a reply that is whole, whatever comes then: %s',
    async (end) => {
      const list = [{ n: 1 }, { whole: true }];
      const { reply, requests } = await ask([events(list, end)], { settings: { idleTimeoutMs: 1_000 } });
      expect({ reply, requests }).toEqual({ reply: list, requests: 1 });
    },
  );

  it('is cancelled also behind a reply that is whole', async () => {
    await using server = await FakeModelServer.start();
    server.will(events([{ whole: true }], 'hang'));
    const stop = new AbortController();
    const call = callOf(server.url);
    const reader = () => {
      const inner = call.reader();
      const take = (event: JsonObject) => {
        setImmediate(() => stop.abort());
        return inner.take(event);
      };
      return { isWhole: true, take, finish: inner.finish.bind(inner) };
    };
    const client = createClient('somebody', SETTINGS, { env: {} });
    await expect(client.ask({ ...call, reader }, stop.signal)).rejects.toMatchObject({ name: 'AbortError' });
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
