import { describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import type { ResponseCreateParams, ResponseOutputItem } from 'openai/resources/responses/responses';
import type { Json, JsonObject } from '../../../../src/domain/json.js';
import type { Message } from '../../../../src/domain/message.js';
import { createTool } from '../../../../src/domain/tool.js';
import { createOpenAi } from '../../../../src/infrastructure/providers/openai/openai-agent.js';
import { events, json } from '../../../support/fake-model/answers.js';
import { askOnce } from '../../../support/fake-model/ask-once.js';
import { type Answer, FakeModelServer } from '../../../support/fake-model/fake-model-server.js';
import { eventsOf, itemsOf, responseOf } from '../../../support/fake-model/responses-wire.js';

const PROMPT: Message = { role: 'user', content: 'go' };
const look = createTool({
  name: 'look',
  description: 'Looks',
  parameters: { type: 'object', properties: {} },
});
const TURN = { text: 'I look.', calls: [{ id: 'call_a', name: 'look', arguments: { at: 'door' } }] };

function ask(answer: Answer, options: JsonObject = {}, messages: readonly Message[] = [PROMPT]) {
  const make = (base_url: string) =>
    createOpenAi(
      { model: 'gpt-5', base_url, max_retries: 0, ...options },
      { env: { OPENAI_API_KEY: 'key-1234' } },
    );
  return askOnce(answer, make, { messages, tools: [look], options: {} });
}

const cut = (items: readonly ResponseOutputItem[], reason = 'max_output_tokens') =>
  responseOf(items, { status: 'incomplete', incomplete_details: { reason } });

describe('OpenAI, Responses', () => {
  it('asks as the API wants to be asked, and stores nothing there', async () => {
    const { body, request } = await ask(
      json(responseOf(itemsOf({ text: 'ok' }))),
      { stream: false, max_tokens: 500, reasoning: { effort: 'low' }, extra: { service_tier: 'flex' } },
      [{ role: 'system', content: 'Be brief.' }, PROMPT],
    );
    const expected = {
      service_tier: 'flex',
      model: 'gpt-5',
      max_output_tokens: 500,
      reasoning: { effort: 'low' },
      store: false,
      include: ['reasoning.encrypted_content'],
      instructions: 'Be brief.',
      tools: [
        {
          type: 'function',
          name: 'look',
          description: 'Looks',
          parameters: { type: 'object', properties: {}, additionalProperties: false },
          strict: false,
        },
      ],
      input: [{ role: 'user', content: 'go' }],
    } satisfies ResponseCreateParams;
    expect(body).toEqual(expected);
    expect(request).toMatchObject({ path: '/v1/responses', headers: { authorization: 'Bearer key-1234' } });
  });

  it.each([
    ['gpt-5', true],
    ['gpt-5.1-codex', true],
    ['o4-mini', true],
    ['openai/gpt-5', true],
    ['azure:my-gpt5', true],
    ['team-o3-mini', true],
    ['openai/gpt-5-chat', false],
    ['gpt-35-turbo', false],
    ['gpt-4o-mini', false],
    ['my-deployment', false],
    ['gpt-5-chat-latest', false],
    ['gpt-4.1', false],
  ])('asks %s for its thoughts: %s', async (model, isAsked) => {
    const { body } = await ask(json(responseOf(itemsOf({ text: 'ok' }))), { model, stream: false });
    expect(body.include !== undefined).toBe(isAsked);
  });

  it('asks any model for its thoughts that has `reasoning`, be it empty', async () => {
    const options = { model: 'my-deployment', reasoning: {}, stream: false };
    const { body } = await ask(json(responseOf(itemsOf({ text: 'ok' }))), options);
    expect(body).toMatchObject({ reasoning: {}, include: ['reasoning.encrypted_content'] });
  });

  it('says why a reply was cut off where more tokens would not help', async () => {
    const items = itemsOf({ text: 'Once' });
    const { value } = await ask(json(cut(items, 'content_filter')), { stream: false });
    expect(value?.message).toMatchObject({ cutOff: true, cutReason: expect.stringContaining('filter') });
    const short = await ask(json(cut(items)), { stream: false });
    expect(short.value?.message).not.toHaveProperty('cutReason');
  });

  it('sends what follows a lost thought back without its id, by which the API would ask for the thought', async () => {
    const [thought, ...spoken] = itemsOf(TURN);
    const search = { id: 'ws_1', type: 'web_search_call', status: 'completed' };
    const items = [{ ...thought, encrypted_content: null }, search, ...spoken, thought, ...spoken];
    const message: Message = {
      role: 'assistant',
      content: 'x',
      calls: [...TURN.calls, ...TURN.calls],
      raw: { responses: items as unknown as Json },
    };
    const { body } = await ask(json(responseOf(itemsOf({ text: 'ok' }))), { stream: false }, [message]);
    const ids = (body.input as readonly JsonObject[]).map(({ type, id }) => [type, id !== undefined]);
    expect(ids).toEqual([
      ['web_search_call', true],
      ['message', false],
      ['function_call', false],
      ['reasoning', true],
      ['message', true],
      ['function_call', true],
    ]);
  });

  it('counts tokens, those from the cache apart, and what they cost', async () => {
    const { value } = await ask(events(eventsOf(itemsOf(TURN))));
    expect(value?.usage).toEqual({
      inputTokens: 100,
      outputTokens: 20,
      cacheReadTokens: 40,
      costUsd: expect.closeTo((60 * 1.25 + 40 * 0.125 + 20 * 10) / 1e6, 12),
    });
  });

  it('reads what the official client reads', async () => {
    await using server = await FakeModelServer.start();
    server.will(events(eventsOf(itemsOf(TURN))));
    const client = new OpenAI({ apiKey: 'x', baseURL: `${server.url}/v1`, maxRetries: 0 });
    const official = await client.responses.stream({ model: 'gpt-5', input: 'go' }).finalResponse();
    const { value } = await ask(events(eventsOf(itemsOf(TURN))));
    expect(value?.message.content).toBe(official.output_text);
    expect(value?.message.calls).toEqual(
      official.output.flatMap((item) =>
        item.type === 'function_call'
          ? [{ id: item.call_id, name: item.name, arguments: JSON.parse(item.arguments) }]
          : [],
      ),
    );
  });

  it.each([true, false])('does not run a call that was cut off (streamed: %s)', async (stream) => {
    const items = itemsOf({ calls: [...TURN.calls, { id: 'b', name: 'look', arguments: {} }] }).map((item) =>
      item.type === 'function_call' && item.call_id === 'b'
        ? { ...item, arguments: '{"at":', status: 'incomplete' as const }
        : item,
    );
    const { value } = await ask(stream ? events(eventsOf(items, cut(items))) : json(cut(items)), { stream });
    expect(value?.message).toMatchObject({
      cutOff: true,
      calls: [
        { id: 'call_a', arguments: { at: 'door' } },
        { id: 'b', arguments: '{"at":', complete: false },
      ],
    });
    expect(value?.message.calls[0]).not.toHaveProperty('complete');
    const results = ['call_a', 'b'].map((callId) => ({ callId, tool: 'look', output: 'x', isError: false }));
    const messages: Message[] = [PROMPT, value?.message as Message, { role: 'tool', results }];
    const { body } = await ask(json(responseOf(itemsOf({ text: 'ok' }))), { stream: false }, messages);
    expect(JSON.stringify(body.input)).not.toContain('{\\"at\\":"');
  });

  it('sends back no thought that the API would refuse', async () => {
    const [thought] = itemsOf({ text: 'x' });
    const bare = { ...thought, encrypted_content: null };
    const said = itemsOf({ text: 'x' })[1];
    const raw = { responses: [bare, said, thought] as unknown as Json };
    const message: Message = { role: 'assistant', content: 'x', calls: [], raw };
    const { body } = await ask(json(responseOf(itemsOf({ text: 'ok' }))), { stream: false }, [
      PROMPT,
      message,
    ]);
    const { id: _id, ...nameless } = said as unknown as JsonObject;
    expect(body.input).toEqual([{ role: 'user', content: 'go' }, nameless]);
  });

  it.each([
    ['at its end', ['response.output_item.added', 'response.output_text.delta']],
    ['but in pieces', ['response.output_item.done']],
  ])('understands a gateway that has no items in the last event, and none %s', async (_what, left) => {
    const list = eventsOf(itemsOf(TURN), responseOf([])).filter(({ type }) => !left.includes(String(type)));
    const { value } = await ask(events(list));
    expect(value?.message).toMatchObject({
      content: TURN.text,
      calls: [{ id: TURN.calls[0]?.id, name: TURN.calls[0]?.name, arguments: TURN.calls[0]?.arguments }],
    });
  });

  it("speaks of another provider's turns in its own words", async () => {
    const message: Message = {
      role: 'assistant',
      content: 'I look.',
      calls: [{ id: 'toolu_1', name: 'look', arguments: { at: 'door' } }],
      raw: { role: 'assistant', content: [{ type: 'text', text: 'I look.' }] },
    };
    const { body } = await ask(json(responseOf(itemsOf({ text: 'ok' }))), { stream: false }, [
      PROMPT,
      message,
    ]);
    const call = { type: 'function_call', call_id: 'toolu_1', name: 'look', arguments: '{"at":"door"}' };
    expect((body.input as readonly Json[]).slice(1)).toEqual([
      { role: 'assistant', content: 'I look.' },
      call,
    ]);
  });

  it('takes items from their own events where the last one has none', async () => {
    const items = itemsOf(TURN);
    const { value } = await ask(events(eventsOf(items, responseOf([]))));
    expect(value?.message).toMatchObject({ raw: { responses: items }, calls: [{ id: 'call_a' }] });
  });

  it.each([
    [
      'a refusal',
      json(
        responseOf([
          {
            id: 'm',
            type: 'message',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'refusal', refusal: 'I cannot.' }],
          },
        ]),
      ),
      'REFUSED',
      'I cannot.',
    ],
    ['a filtered reply', json(cut([], 'content_filter')), 'REFUSED', 'content filter'],
    [
      'a failed response',
      json(responseOf([], { status: 'failed', error: { code: 'server_error', message: 'It broke' } })),
      'FAILED',
      'It broke',
    ],
    ['no output', json({ id: 'x', status: 'completed' }), 'BAD_REPLY', 'no output'],
  ])('fails on %s', async (_what, answer, code, words) => {
    const { error } = await ask(answer, { stream: false });
    expect(error).toMatchObject({
      code: `EXECUTION.PROVIDER.${code}`,
      message: expect.stringContaining(words),
    });
  });

  it.each([
    [
      'an error event',
      [{ type: 'error', code: 'rate_limit_exceeded', message: 'Slow down' }],
      'RATE_LIMITED',
      'Slow down',
    ],
    [
      'a failure at the end',
      [
        {
          type: 'response.failed',
          response: responseOf([], { status: 'failed', error: { code: 'x', message: 'It broke' } }),
        },
      ],
      'FAILED',
      'It broke',
    ],
    ['no end', eventsOf(itemsOf(TURN)).slice(0, -1), 'BAD_REPLY', 'ended before'],
  ])('fails on a stream with %s', async (_what, list, code, words) => {
    const { error } = await ask(events(list));
    expect(error).toMatchObject({
      code: `EXECUTION.PROVIDER.${code}`,
      message: expect.stringContaining(words),
    });
  });
});
