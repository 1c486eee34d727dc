import type Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../src/domain/json.js';
import type { Message } from '../../../../src/domain/message.js';
import { createTool } from '../../../../src/domain/tool.js';
import { ProviderRegistry } from '../../../../src/infrastructure/providers/provider-registry.js';
import type { AgentReply } from '../../../../src/ports/agent-provider.js';
import { describeAgentProviderContract } from '../../../contracts/agent-provider.contract.js';
import { events, json } from '../../../support/fake-model/answers.js';
import {
  ANTHROPIC_WIRE,
  eventsOf,
  startEvent,
  wholeMessage,
} from '../../../support/fake-model/anthropic-wire.js';
import {
  type Answer,
  FakeModelServer,
  type SeenRequest,
} from '../../../support/fake-model/fake-model-server.js';

describeAgentProviderContract(ANTHROPIC_WIRE);

const PROMPT: Message = { role: 'user', content: 'go' };
const LOOK = createTool({ name: 'look', description: 'Looks.', sideEffects: 'none' });

interface Trial {
  readonly options?: JsonObject;
  readonly messages?: readonly Message[];
  readonly tools?: readonly (typeof LOOK)[];
}

async function ask(
  answers: readonly Answer[],
  { options = {}, messages = [PROMPT], tools = [] }: Trial = {},
): Promise<AgentReply & { readonly seen: readonly SeenRequest[]; readonly shown: string }> {
  await using server = await FakeModelServer.start();
  server.will(...answers);
  const agent = await new ProviderRegistry({ env: ANTHROPIC_WIRE.env }).create('anthropic', {
    model: 'claude-sonnet-4-5',
    base_url: server.url,
    ...options,
  });
  const shown: string[] = [];
  const context = { signal: new AbortController().signal, onText: (text: string) => void shown.push(text) };
  const reply = await agent.complete({ messages, tools, options: {} }, context);
  return { ...reply, seen: server.seen, shown: shown.join('') };
}

const TEXT = { type: 'text', text: 'Hello.' };
const UNSIGNED = { type: 'thinking', thinking: 'I was just', signature: '' };
const ended = (...content: readonly JsonObject[]) => events(eventsOf(content, 'end_turn'));

describe('AnthropicAgent', () => {
  it("sends what Anthropic's own client would send", async () => {
    const messages: readonly Message[] = [
      { role: 'system', content: 'Be brief.' },
      PROMPT,
      { role: 'assistant', content: 'I look.', calls: [{ id: 'a', name: 'look', arguments: 'broken {' }] },
      { role: 'tool', results: [{ callId: 'a', tool: 'look', output: 'no', isError: true }] },
    ];
    const options = { max_tokens: 100, thinking: { type: 'disabled' }, extra: { service_tier: 'auto' } };
    const { seen } = await ask([ended(TEXT)], { messages, options, tools: [LOOK] });
    const mark = { type: 'ephemeral' } as const;
    expect(seen[0]?.body).toEqual({
      model: 'claude-sonnet-4-5',
      max_tokens: 100,
      thinking: { type: 'disabled' },
      stream: true,
      service_tier: 'auto',
      system: [{ type: 'text', text: 'Be brief.', cache_control: mark }],
      tools: [
        {
          name: 'look',
          description: 'Looks.',
          input_schema: { type: 'object', properties: {}, additionalProperties: false },
          cache_control: mark,
        },
      ],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'go', cache_control: mark }] },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I look.' },
            { type: 'tool_use', id: 'a', name: 'look', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'a', content: 'no', is_error: true, cache_control: mark },
          ],
        },
      ],
    } satisfies Anthropic.MessageCreateParams);
    expect(seen[0]).toMatchObject({
      path: '/v1/messages',
      headers: { 'x-api-key': 'key-of-anthropic-1234', 'anthropic-version': '2023-06-01' },
    });
  });

  it.each([true, false])('reads what the API may write, streamed: %s', async (stream) => {
    const content = [
      { type: 'redacted_thinking', data: 'AAAA' },
      { type: 'text', text: 'I look.', citations: null },
      {
        type: 'server_tool_use',
        id: 's',
        name: 'web_search',
        input: { query: 'x' },
        caller: { type: 'direct' },
      },
      { type: 'tool_use', id: 'b', name: 'look', input: {}, caller: { type: 'direct' } },
    ] satisfies Anthropic.ContentBlock[];
    const usage = {
      input_tokens: 10,
      output_tokens: 5,
      cache_read_input_tokens: 1_000,
      cache_creation_input_tokens: 200,
    };
    const answer = stream
      ? events(eventsOf(content, 'tool_use', usage))
      : json(wholeMessage(content, 'tool_use', usage));
    const { message, usage: used } = await ask([answer], { options: { stream } });
    expect(message).toEqual({
      role: 'assistant',
      content: 'I look.',
      calls: [{ id: 'b', name: 'look', arguments: {} }],
      raw: { role: 'assistant', content },
    });
    expect(used).toEqual({
      inputTokens: 1_210,
      outputTokens: 5,
      cacheReadTokens: 1_000,
      cacheWriteTokens: 200,
      costUsd: expect.closeTo((10 * 3 + 1_000 * 0.3 + 200 * 3.75 + 5 * 15) / 1e6, 12),
    });
  });

  it('does not guess the price of a model it does not know, and takes the one it is given', async () => {
    const options = { model: 'claude-sonnet-4-99' };
    expect((await ask([ended(TEXT)], { options })).usage).toEqual({ inputTokens: 100, outputTokens: 20 });
    const priced = await ask([ended(TEXT)], {
      options: { ...options, prices: { input: 10_000, output: '5' } },
    });
    expect(priced.usage?.costUsd).toBeCloseTo(1.0001, 10);
  });

  it('marks a call that the reply was cut off in, whatever its text looks like', async () => {
    const cut = (partial: string): Answer =>
      events([
        startEvent(),
        {
          type: 'content_block_start',
          index: 0,
          content_block: { type: 'tool_use', id: 'c', name: 'write', input: {} },
        },
        { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: partial } },
        { type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: { output_tokens: 9 } },
        { type: 'message_stop' },
      ]);
    const broken = await ask([cut('{"path":"a","content":"hal')]);
    expect(broken.message).toMatchObject({
      cutOff: true,
      calls: [{ name: 'write', arguments: '{"path":"a","content":"hal', complete: false }],
      raw: { content: [{ type: 'tool_use', id: 'c', input: {} }] },
    });
    expect((await ask([cut('{}')])).message.calls).toMatchObject([{ arguments: {}, complete: false }]);
  });

  it('gives arguments that are no JSON as they are, for the loop to refuse', async () => {
    const block = {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'tool_use', id: 'c', name: 'w', input: {} },
    };
    const delta = {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'input_json_delta', partial_json: '{"a":' },
    };
    const { message } = await ask([
      events([startEvent(), block, delta, ...eventsOf([], 'tool_use').slice(1)]),
    ]);
    expect(message.calls).toEqual([{ id: 'c', name: 'w', arguments: '{"a":' }]);
  });

  it('goes on after a pause, as one message', async () => {
    const search = { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'x' } };
    const paused = events(eventsOf([search], 'pause_turn'));
    const { message, usage, contextTokens, seen, shown } = await ask([paused, paused, ended(TEXT)]);
    expect(message.raw).toEqual({ role: 'assistant', content: [search, search, TEXT] });
    expect({ shown, usage }).toMatchObject({
      shown: 'Hello.',
      usage: { inputTokens: 300, outputTokens: 60 },
    });
    // All three are paid for, but only the last of them is in the context.
    expect(contextTokens).toBe(120);
    expect([seen[2]?.body.messages].flat().at(-1)).toEqual({
      role: 'assistant',
      content: [search, search],
    });
  });

  it('does not go on for ever', async () => {
    const paused = events(eventsOf([TEXT], 'pause_turn'));
    const asked = ask(Array.from({ length: 20 }, () => paused));
    await expect(asked).rejects.toMatchObject({
      code: 'EXECUTION.PROVIDER.BAD_REPLY',
      message: expect.stringMatching(/^anthropic: the reply was paused/),
      usage: { inputTokens: 900, costUsd: expect.any(Number) },
    });
  });

  it('fails on a refusal, and says what it cost', async () => {
    await expect(
      ask([events(eventsOf([{ type: 'text', text: 'I cannot.' }], 'refusal'))]),
    ).rejects.toMatchObject({
      code: 'EXECUTION.PROVIDER.REFUSED',
      usage: { inputTokens: 100, outputTokens: 20, costUsd: (100 * 3 + 20 * 15) / 1e6 },
      message: 'anthropic: the model refuses to answer: I cannot.',
    });
  });

  it.each([
    ['overloaded_error', 'EXECUTION.PROVIDER.OVERLOADED'],
    ['rate_limit_error', 'EXECUTION.PROVIDER.RATE_LIMITED'],
    ['invalid_request_error', 'EXECUTION.PROVIDER.INVALID_REQUEST'],
    ['one_of_next_year', 'EXECUTION.PROVIDER.FAILED'],
  ])('hears of the error %s in the middle of a stream', async (type, code) => {
    const error = { type: 'error', error: { type, message: 'Sorry.' } };
    await expect(ask([events([startEvent(), error])])).rejects.toMatchObject({
      code,
      message: expect.stringContaining('Sorry.'),
    });
  });

  it('asks again when the stream begins with an error that passes', async () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    expect((await ask([events([error]), ended(TEXT)])).message.content).toBe('Hello.');
  });

  it('hears of an error that comes as a success', async () => {
    const error = { type: 'error', error: { type: 'api_error', message: 'Sorry.' } };
    await expect(ask([json(error)], { options: { max_retries: 0 } })).rejects.toMatchObject({
      code: 'EXECUTION.PROVIDER.FAILED',
      message: 'anthropic: 500 api_error: Sorry.',
    });
  });

  it('marks what is stable for the cache, four times at most, and further on each turn', async () => {
    const turn = (n: number): Message[] => [
      { role: 'assistant', content: '', calls: [{ id: `c${n}`, name: 'look', arguments: {} }] },
      { role: 'tool', results: [{ callId: `c${n}`, tool: 'look', output: `${n}`, isError: false }] },
    ];
    const messages: readonly Message[] = [
      { role: 'system', content: 'x' },
      PROMPT,
      ...turn(1),
      ...turn(2),
      ...turn(3),
    ];
    const { seen } = await ask([ended(TEXT)], { messages, tools: [LOOK] });
    expect(seen[0]?.text.split('"cache_control"')).toHaveLength(5);
    const marked = [seen[0]?.body.messages]
      .flat()
      .map((message) => JSON.stringify(message).includes('cache_control'));
    expect(marked).toEqual([false, false, false, false, true, false, true]);
  });

  it('marks no more when one and the same message is said again and again', async () => {
    const messages = Array.from({ length: 9 }, () => PROMPT);
    expect((await ask([ended(TEXT)], { messages })).seen[0]?.text.split('"cache_control"')).toHaveLength(3);
  });

  it('sends nothing back that the API would refuse: empty texts, thoughts that were cut off, empty messages', async () => {
    const first = await ask([events(eventsOf([{ type: 'text', text: '' }, UNSIGNED], 'max_tokens'))]);
    expect(first.message).toMatchObject({ content: '', raw: { content: [] } });
    const messages: readonly Message[] = [PROMPT, first.message, { role: 'user', content: ' ' }];
    const { seen } = await ask([ended(TEXT)], { messages, options: { cache: false } });
    expect(seen[0]?.body.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'go' }] },
      { role: 'user', content: [{ type: 'text', text: '(empty)' }] },
    ]);
  });

  it('sends unsigned thoughts back to the server that has no others, and none to Anthropic itself', async () => {
    const { message } = await ask([ended(UNSIGNED, TEXT)]);
    const messages: readonly Message[] = [PROMPT, message, PROMPT];
    const { seen } = await ask([ended(TEXT)], { messages });
    expect(ANTHROPIC_WIRE.replayed(seen[0]?.body ?? {})).toEqual([[UNSIGNED, TEXT]]);
    const sent: string[] = [];
    const transport = async ({ body }: { readonly body: string }) => {
      sent.push(body);
      throw new Error('not sent');
    };
    const own = new ProviderRegistry({ env: ANTHROPIC_WIRE.env, transport });
    const agent = await own.create('anthropic', { model: 'claude-sonnet-4-5' });
    const { signal } = new AbortController();
    await expect(agent.complete({ messages, tools: [], options: {} }, { signal })).rejects.toThrow(
      'not sent',
    );
    expect(ANTHROPIC_WIRE.replayed(JSON.parse(sent[0] ?? ''))).toEqual([[TEXT]]);
  });

  it('says why a reply was cut off where more tokens would not help', async () => {
    const reply = (reason: string) => ask([events(eventsOf([TEXT], reason))]);
    const full = (await reply('model_context_window_exceeded')).message;
    expect(full).toMatchObject({ cutOff: true, cutReason: expect.stringContaining('context') });
    const short = (await reply('max_tokens')).message;
    expect(short).toMatchObject({ cutOff: true });
    expect(short).not.toHaveProperty('cutReason');
  });

  it('sends back no text that is only blanks, and no failure without a word', async () => {
    const call = { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} };
    const first = await ask([ended({ type: 'text', text: '\n\n' }, call)]);
    const results = [{ callId: 'toolu_1', tool: 'look', output: '', isError: true }];
    const messages: readonly Message[] = [PROMPT, first.message, { role: 'tool', results }];
    const { seen } = await ask([ended(TEXT)], { messages, options: { cache: false } });
    const failed = { type: 'tool_result', tool_use_id: 'toolu_1', content: '(empty)', is_error: true };
    expect(seen[0]?.body.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'go' }] },
      { role: 'assistant', content: [call] },
      { role: 'user', content: [failed] },
    ]);
  });

  it('gives calls without an id of their own the id that their results have', async () => {
    const call = { type: 'tool_use', id: 'twice', name: 'look', input: {} };
    const { id: _id, ...nameless } = call;
    const { message } = await ask([ended(call, call, nameless)]);
    const ids = ['twice', 'call_1_2', 'call_1_3'];
    const calls = message.calls.map((one, place) => ({ ...one, id: ids[place] ?? '' }));
    const results = ids.map((callId) => ({ callId, tool: 'look', output: 'ok', isError: false }));
    const messages: readonly Message[] = [PROMPT, { ...message, calls }, { role: 'tool', results }];
    const { seen } = await ask([ended(TEXT)], { messages });
    expect(ANTHROPIC_WIRE.replayed(seen[0]?.body ?? {})).toMatchObject([ids.map((id) => ({ id }))]);
  });

  it("does not take another provider's raw message for its own", async () => {
    const raw = { role: 'model', parts: [{ text: 'Hi.' }] };
    const { seen } = await ask([ended(TEXT)], {
      messages: [PROMPT, { role: 'assistant', content: 'Hi.', calls: [], raw }, PROMPT],
    });
    expect(ANTHROPIC_WIRE.replayed(seen[0]?.body ?? {})).toEqual([[{ type: 'text', text: 'Hi.' }]]);
  });

  it('describes the tools of the history on a last turn after a resume', async () => {
    const messages: readonly Message[] = [
      PROMPT,
      { role: 'assistant', content: '', calls: [{ id: 'a', name: 'look', arguments: {} }] },
      { role: 'tool', results: [{ callId: 'a', tool: 'look', output: 'ok', isError: false }] },
    ];
    const { seen } = await ask([ended(TEXT)], { messages });
    expect(seen[0]?.body).toMatchObject({ tools: [{ name: 'look' }], tool_choice: { type: 'none' } });
  });

  it.each([
    ['a block without a place', { type: 'content_block_start', index: null, content_block: TEXT }],
    [
      'a piece of no block',
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x' } },
    ],
    ['a block of nothing', { type: 'content_block_start', index: 0, content_block: null }],
    ['a reply without a reason to end', { type: 'content_block_start', index: 0, content_block: TEXT }],
  ])('fails on %s', async (_name, event) => {
    await expect(ask([events([startEvent(), event])])).rejects.toMatchObject({
      code: 'EXECUTION.PROVIDER.BAD_REPLY',
    });
  });

  it('takes blocks that are counted from one, and no place for two blocks', async () => {
    const call = { type: 'tool_use', id: 'c', name: 'look', input: { at: 'door' } };
    const list = eventsOf([TEXT, call], 'tool_use');
    const moved = list.map((event) =>
      'index' in event ? { ...event, index: Number(event.index) + 1 } : event,
    );
    expect((await ask([events(moved)])).message.raw).toEqual({ role: 'assistant', content: [TEXT, call] });
    const same = list.map((event) => ('index' in event ? { ...event, index: 0 } : event));
    await expect(ask([events(same)])).rejects.toMatchObject({ code: 'EXECUTION.PROVIDER.BAD_REPLY' });
  });

  it.each(['end', 'reset'] as const)(
    'has said all once it says why it stopped, though nothing follows (%s)',
    async (end) => {
      const list = eventsOf([TEXT], 'end_turn').filter(({ type }) => type !== 'message_stop');
      expect((await ask([events(list, end)])).message.content).toBe('Hello.');
    },
  );

  it('takes null for no arguments', async () => {
    const list = [
      startEvent(),
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: 'c', name: 'look', input: {} },
      },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: 'null' } },
      ...eventsOf([], 'tool_use').slice(1),
    ];
    expect((await ask([events(list)])).message.calls).toEqual([{ id: 'c', name: 'look', arguments: {} }]);
  });

  it('sends a temperature to the models that still take one', async () => {
    expect((await ask([ended(TEXT)], { options: { temperature: 0 } })).seen[0]?.body.temperature).toBe(0);
    expect((await ask([ended(TEXT)])).seen[0]?.body).not.toHaveProperty('temperature');
  });

  it.each(['claude-3-haiku-20240307', 'claude-3-5-haiku-latest', 'claude-opus-4-5'])(
    'lets %s write as much as it can',
    async (model) => {
      const { seen } = await ask([ended(TEXT)], { options: { model } });
      const limits: Record<string, number> = {
        'claude-3-haiku-20240307': 4_096,
        'claude-3-5-haiku-latest': 8_192,
      };
      expect(seen[0]?.body.max_tokens).toBe(limits[model] ?? 32_000);
    },
  );
});
