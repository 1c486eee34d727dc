import { describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions';
import type { Json, JsonObject } from '../../../../src/domain/json.js';
import type { Message } from '../../../../src/domain/message.js';
import { createTool } from '../../../../src/domain/tool.js';
import { ProviderRegistry } from '../../../../src/infrastructure/providers/provider-registry.js';
import { json, streamOf } from '../../../support/fake-model/answers.js';
import { askOnce } from '../../../support/fake-model/ask-once.js';
import { chatBody, chatStream, chunk, chunksOf } from '../../../support/fake-model/chat-wire.js';
import { type Answer, FakeModelServer } from '../../../support/fake-model/fake-model-server.js';
import { runStep, toolOf } from '../../../support/loop-fixture.js';

const PROMPT: Message = { role: 'user', content: 'go' };
const look = createTool({
  name: 'look',
  description: 'Looks',
  parameters: { type: 'object', properties: {} },
});
const TURN = { text: 'I look.', calls: [{ id: 'call_a', name: 'look', arguments: { at: 'door' } }] };
const OK = json(chatBody({ text: 'ok' }) as unknown as Json);

interface Asked {
  readonly provider?: string;
  readonly options?: JsonObject;
  readonly messages?: readonly Message[];
}

function ask(answer: Answer, { provider = 'openai_compatible', options, messages = [PROMPT] }: Asked = {}) {
  const registry = new ProviderRegistry({ env: { OPENAI_API_KEY: 'key-1234' } });
  const own = provider === 'openai' ? { api: 'chat' } : {};
  const make = (base_url: string) =>
    registry.create(provider, { model: 'some-model', base_url, max_retries: 0, ...own, ...options });
  return askOnce(answer, make, { messages, tools: [look], options: {} });
}

const whole = (message: JsonObject, more: JsonObject = {}, top: JsonObject = {}): Answer =>
  json({
    choices: [
      { index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason: 'stop', ...more },
    ],
    ...top,
  });
/** A stream that ends with the API's mark. */
const marked = (list: readonly unknown[]): Answer =>
  streamOf([...list.map((one) => JSON.stringify(one)), '[DONE]'].map((data) => `data: ${data}\n\n`));
const NOT_STREAMED = { options: { stream: false } };

describe('OpenAI, Chat Completions', () => {
  it('asks as the API wants to be asked', async () => {
    const { body, request } = await ask(OK, {
      provider: 'openai',
      options: { model: 'gpt-4.1', max_tokens: 500, temperature: 0 },
      messages: [{ role: 'system', content: 'Be brief.' }, PROMPT],
    });
    const expected = {
      model: 'gpt-4.1',
      temperature: 0,
      max_completion_tokens: 500,
      stream: true,
      stream_options: { include_usage: true },
      tools: [
        {
          type: 'function',
          function: {
            name: 'look',
            description: 'Looks',
            parameters: { type: 'object', properties: {}, additionalProperties: false },
          },
        },
      ],
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'go' },
      ],
    } satisfies ChatCompletionCreateParams;
    expect(body).toEqual(expected);
    expect(request).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer key-1234' },
    });
  });

  it('reads what the official client reads', async () => {
    const list = [...chunksOf(TURN), chunk({}, 'tool_calls')];
    await using server = await FakeModelServer.start();
    server.will(chatStream(list));
    const client = new OpenAI({ apiKey: 'x', baseURL: `${server.url}/v1`, maxRetries: 0 });
    const messages = [{ role: 'user' as const, content: 'go' }];
    const official = await client.chat.completions.stream({ model: 'gpt-4.1', messages }).finalMessage();
    const { value } = await ask(chatStream(list));
    expect(value?.message.content).toBe(official.content);
    expect(value?.message.calls).toEqual(
      official.tool_calls?.map((call) => ({
        id: call.id,
        name: call.type === 'function' ? call.function.name : '',
        arguments: call.type === 'function' ? JSON.parse(call.function.arguments) : {},
      })),
    );
  });

  it.each(['length', 'stop', 'tool_calls'] as const)(
    'runs a call unless it was cut off: %s',
    async (reason) => {
      const { value } = await ask(chatStream([...chunksOf(TURN), chunk({}, reason)]));
      const [call] = value?.message.calls ?? [];
      expect(call?.complete ?? true).toBe(reason !== 'length');
      expect(value?.message.cutOff ?? false).toBe(reason === 'length');
    },
  );

  it('says what a refusal cost', async () => {
    const usage = { prompt_tokens: 1_000_000, completion_tokens: 0 };
    const prices = { input: 2, output: 8 };
    const { error } = await ask(whole({ refusal: 'I cannot.' }, {}, { usage }), {
      options: { stream: false, prices },
    });
    expect(error).toMatchObject({ usage: { inputTokens: 1_000_000, costUsd: 2 } });
  });

  it.each([
    ['a refusal', whole({ refusal: 'I cannot.' }), 'REFUSED', 'I cannot.'],
    ['a filtered reply', whole({}, { finish_reason: 'content_filter' }), 'REFUSED', 'content filter'],
    [
      'an error that says 200',
      json({ error: { message: 'No such model', code: 404 } }),
      'INVALID_REQUEST',
      'No such model',
    ],
    ['no choices', json({ id: 'x' }), 'BAD_REPLY', 'no choices'],
  ])('fails on %s', async (_what, answer, code, words) => {
    const { error } = await ask(answer, NOT_STREAMED);
    expect(error).toMatchObject({
      code: `EXECUTION.PROVIDER.${code}`,
      message: expect.stringContaining(words),
    });
  });

  it.each([
    [
      'an error in the middle',
      [chunk({ content: 'I ' }), { error: { message: 'It broke', code: 500 } }],
      'It broke',
    ],
    ['no end', chunksOf(TURN), 'ended before'],
  ])('fails on a stream with %s', async (_what, list, words) => {
    const { error } = await ask(chatStream(list));
    expect(error).toMatchObject({ message: expect.stringContaining(words) });
  });

  it('fails on a stream that has nothing but the mark of its end', async () => {
    const { error } = await ask(marked([]));
    expect(error).toMatchObject({ message: expect.stringContaining('ended before') });
  });

  it.each([
    ['the whole of a text', chunksOf({ text: 'All of it.' }), {}],
    ['the whole of a call', chunksOf(TURN), {}],
    ['half a call', chunksOf(TURN).slice(0, -1), { cutOff: true }],
  ])('takes %s that ends with no reason, only with the mark', async (_what, list, cut) => {
    const { value } = await ask(marked(list));
    const { cutOff, calls = [] } = value?.message ?? {};
    expect(cutOff === undefined ? {} : { cutOff }).toEqual(cut);
    expect(calls.every(({ complete = true }) => complete)).toBe(cutOff === undefined);
  });
});

describe('servers that are compatible with OpenAI', () => {
  const call = (more: object = {}) => ({
    type: 'function',
    function: { name: 'look', arguments: '{}' },
    ...more,
  });

  it('need no key, take the old name of the limit, and need not count tokens', async () => {
    const { body, request } = await ask(OK, { options: { max_tokens: 9, include_usage: false } });
    expect(body).toMatchObject({ max_tokens: 9, stream: true });
    expect(body).not.toHaveProperty('stream_options');
    expect(request?.headers).not.toHaveProperty('authorization');
  });

  it('need an address', async () => {
    const made = new ProviderRegistry({ env: {} }).create('openai_compatible', { model: 'x' });
    await expect(made).rejects.toThrow('options.base_url is missing');
  });

  it('get calls without ids back under the ids that their results have', async () => {
    await using server = await FakeModelServer.start();
    server.will(whole({ tool_calls: [call(), call()] }), OK);
    const options = { model: 'x', base_url: server.url, stream: false };
    const agent = await new ProviderRegistry({ env: {} }).create('openai_compatible', options);
    await runStep({ agent, tools: [toolOf('look', () => 'seen')] });
    const messages = server.seen[1]?.body.messages as readonly JsonObject[];
    const { tool_calls: calls = [] } = messages[1] ?? {};
    const asked = (calls as readonly JsonObject[]).map(({ id }) => id);
    expect(asked).toEqual(['call_1_1', 'call_1_2']);
    expect(messages.slice(2).map(({ tool_call_id: id }) => id)).toEqual(asked);
  });

  it.each([
    ['an object', { at: 'door' }, { at: 'door' }, '{"at":"door"}'],
    ['nothing', undefined, {}, '{}'],
    ['null', null, {}, '{}'],
    ['null as text', ' null', {}, '{}'],
    ['broken text', '{"at":', '{"at":', '{}'],
  ])('may give %s as arguments', async (_what, args, expected, replayed) => {
    const written = { function: { name: 'look', ...(args === undefined ? {} : { arguments: args }) } };
    const { value } = await ask(whole({ tool_calls: [{ id: 'a', ...written }] as Json }), NOT_STREAMED);
    expect(value?.message.calls).toEqual([{ id: 'a', name: 'look', arguments: expected }]);
    const { body } = await ask(OK, { messages: [PROMPT, value?.message as Message] });
    expect(body.messages).toMatchObject([{}, { tool_calls: [{ function: { arguments: replayed } }] }]);
  });

  it.each(['length', 'content_filter', 'insufficient_system_resource'])(
    'may stop in the middle of a call that looks whole: %s',
    async (finish_reason) => {
      const said = { content: 'I look', tool_calls: [call(), call()] };
      const { value } = await ask(whole(said, { finish_reason }), NOT_STREAMED);
      expect(value?.message).toMatchObject({ cutOff: true, content: 'I look' });
      expect(value?.message.cutReason !== undefined).toBe(finish_reason !== 'length');
      expect(value?.message.calls.map(({ complete }) => complete)).toEqual([undefined, false]);
    },
  );

  it('may name a call only after its id', async () => {
    const pieces = [
      { index: 0, id: 'a', function: {} },
      { index: 0, function: { name: 'look' } },
      { index: 0, function: { arguments: '{}' } },
    ];
    const { value } = await ask(
      chatStream(pieces.map((piece) => chunk({ tool_calls: [piece] }, 'tool_calls'))),
    );
    expect(value?.message.calls).toEqual([{ id: 'a', name: 'look', arguments: {} }]);
  });

  it('may tell of a failure in a word, and as a success', async () => {
    const { error } = await ask(json({ error: 'the model is not loaded' }), NOT_STREAMED);
    expect(error).toMatchObject({ message: expect.stringContaining('the model is not loaded') });
  });

  it('may know only the one call of old', async () => {
    const legacy = { function_call: { name: 'look', arguments: '{"at":"door"}' } };
    const { value } = await ask(whole(legacy, { finish_reason: 'function_call' }), NOT_STREAMED);
    expect(value?.message.calls).toEqual([{ id: '', name: 'look', arguments: { at: 'door' } }]);
    const streamed = await ask(
      chatStream([
        chunk({ function_call: { name: 'look', arguments: '{"at":' } }),
        chunk({ function_call: { arguments: '"door"}' } }, 'function_call'),
      ]),
    );
    expect(streamed.value?.message.calls).toEqual(value?.message.calls);
  });

  it.each([
    ['without an index', [{ id: 'a' }, { id: 'b' }]],
    [
      'all at the same index',
      [
        { index: 0, id: 'a' },
        { index: 0, id: 'b' },
      ],
    ],
    ['without an index and an id', [{}, {}]],
  ])('may stream calls whole, %s', async (_what, places) => {
    const list = places.map((place) => chunk({ tool_calls: [call(place) as never] }));
    const { value } = await ask(chatStream([...list, chunk({}, 'stop')]));
    expect(value?.message.calls).toEqual(
      places
        .map((place) => ({ id: '', ...place, name: 'look', arguments: {} }))
        .map(({ index: _, ...made }: JsonObject) => made),
    );
  });

  it.each([
    ['an object behind a whole one', ['{"at":"a"}', '{"at":"b"}'], { name: 'look' }],
    ['an object in pieces behind one in pieces', ['{"at":', '"a"}', ' {"at"', ':"b"}'], undefined],
  ])('may stream %s at one index, without ids', async (_what, texts, named) => {
    const list = texts.map((text) =>
      chunk({
        tool_calls: [
          {
            index: 0,
            id: '',
            function: { ...(named ?? (text.includes('{') ? { name: 'look' } : {})), arguments: text },
          },
        ],
      }),
    );
    const { value } = await ask(chatStream([...list, chunk({}, 'tool_calls')]));
    expect(value?.message.calls).toEqual(
      ['a', 'b'].map((at) => ({ id: '', name: 'look', arguments: { at } })),
    );
  });

  it('may stream calls without arguments at one index: another name is another call', async () => {
    const list = ['look', 'listen'].map((name) => chunk({ tool_calls: [{ index: 0, function: { name } }] }));
    const { value } = await ask(chatStream([...list, chunk({}, 'tool_calls')]));
    expect(value?.message.calls.map(({ name }) => name)).toEqual(['look', 'listen']);
  });

  it('may say the name with every piece, and have braces where they open nothing', async () => {
    const args = { at: '}{"\\"}', in: { a: [{}] } };
    const pieces = [...JSON.stringify(args), ''];
    const list = pieces.map((piece) =>
      chunk({ tool_calls: [{ index: 0, function: { name: 'look', arguments: piece } }] }),
    );
    const { value } = await ask(chatStream([...list, chunk({}, 'tool_calls')]));
    expect(value?.message.calls).toEqual([{ id: '', name: 'look', arguments: args }]);
  });

  it('may write lists and texts in turn: what is said is text, what is thought is not', async () => {
    const thought = { type: 'thinking', thinking: [{ type: 'text', text: 'hmm' }] };
    const contents = [[thought], [thought, { type: 'text', text: 'The ' }], 'answer ', 'is 42.', ''];
    const list = contents.map((content) => chunk({ content } as never));
    const { value, shown } = await ask(chatStream([...list, chunk({}, 'stop')]));
    expect({ said: value?.message.content, shown }).toEqual({
      said: 'The answer is 42.',
      shown: 'The answer is 42.',
    });
    const content = contents.slice(0, 2).flat() as Json;
    expect((await ask(whole({ content }), NOT_STREAMED)).value?.message.content).toBe('The ');
  });

  it.each([
    ['message for delta', [{ message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }]],
    [
      'all again as a message',
      [{ delta: { content: 'Hi.' } }, { message: { content: 'Hi.' }, finish_reason: 'stop' }],
    ],
  ])('may write %s', async (_what, choices) => {
    const { value } = await ask(marked(choices.map((choice) => ({ choices: [{ index: 0, ...choice }] }))));
    expect(value?.message.content).toBe('Hi.');
  });

  const EXPLODED = { error: { code: 502, message: 'Upstream exploded' }, finish_reason: 'error' };

  it.each<[string, Answer, JsonObject, string]>([
    ['of a whole reply', whole({ content: '' }, EXPLODED), { stream: false }, '502: Upstream exploded'],
    ['of a stream', marked([{ choices: [{ delta: {}, ...EXPLODED }] }]), {}, '502: Upstream exploded'],
    [
      'without a word',
      marked([chunk({ content: 'I ' }), chunk({}, 'error' as never)]),
      {},
      'an error that says',
    ],
  ])('may tell of a failure in the choice %s', async (_what, answer, options, words) => {
    const { error } = await ask(answer, { options });
    expect(error).toMatchObject({
      code: 'EXECUTION.PROVIDER.FAILED',
      message: expect.stringContaining(words),
      retry: true,
    });
  });

  it('may think aloud, and get their thoughts back', async () => {
    const thought = (piece: string) => chunk({ reasoning_content: piece } as never);
    const { value } = await ask(
      chatStream([thought('Two '), thought('things'), ...chunksOf(TURN), chunk({}, 'stop')]),
    );
    expect(value?.message.content).toBe('I look.');
    const { body } = await ask(OK, { messages: [PROMPT, value?.message as Message] });
    expect(body.messages).toMatchObject([{}, { reasoning_content: 'Two things' }]);
  });

  it('may say what it cost', async () => {
    const usage = { prompt_tokens: 5, completion_tokens: 1, cost: 0.25 };
    const { value } = await ask(whole({ content: 'ok' }, {}, { usage }), NOT_STREAMED);
    expect(value?.usage).toEqual({ inputTokens: 5, outputTokens: 1, costUsd: 0.25 });
  });

  it('costs what the user says that it costs', async () => {
    const usage = { prompt_tokens: 1_000_000, completion_tokens: 0, cost: 9.99 };
    const options = { stream: false, prices: { input: 1, output: 1 } };
    const { value } = await ask(whole({ content: 'ok' }, {}, { usage }), { options });
    expect(value?.usage?.costUsd).toBe(1);
  });

  it('has said all once it says why it stopped, though the connection breaks then', async () => {
    const { value } = await ask(chatStream([...chunksOf(TURN), chunk({}, 'tool_calls')], 'reset'));
    expect(value?.message).toMatchObject({ content: 'I look.', calls: [{ id: 'call_a' }] });
    const { error } = await ask(chatStream(chunksOf(TURN), 'reset'));
    expect(error).toMatchObject({ code: 'EXECUTION.PROVIDER.CONNECTION' });
  });

  it('may stream though it was not asked to', async () => {
    const { value } = await ask(chatStream([...chunksOf(TURN), chunk({}, 'tool_calls')]), NOT_STREAMED);
    expect(value?.message).toMatchObject({ content: 'I look.', calls: [{ id: 'call_a' }] });
  });

  it('may answer a request for a stream with the whole', async () => {
    const { value } = await ask(OK);
    expect(value?.message.content).toBe('ok');
  });
});
