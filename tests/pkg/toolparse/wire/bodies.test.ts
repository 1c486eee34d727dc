import { describe, expect, it } from '@jest/globals';
import { parseToolCalls } from '../../../../src/pkg/toolparse/index.js';
import { brief, codes, TOOLS } from '../fixtures.js';

const chatCall = (args: unknown, id?: string) => ({
  ...(id ? { id } : {}),
  type: 'function',
  function: { name: 'get_weather', arguments: args },
});
const chat = (message: object, finish = 'tool_calls') => ({
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
});
const OSLO = '{"city":"Oslo"}';

/** One body for each provider, all with the same text and call. */
const BODIES = {
  openai_chat: chat({ content: 'Hm.', tool_calls: [chatCall(OSLO, 'c1')] }),
  openai_chat_legacy: chat({ content: 'Hm.', function_call: { name: 'get_weather', arguments: OSLO } }),
  openai_responses: {
    object: 'response',
    status: 'completed',
    output: [
      { type: 'reasoning', id: 'rs_1', summary: [] },
      { type: 'message', content: [{ type: 'output_text', text: 'Hm.' }] },
      { type: 'web_search_call', id: 'ws_1', name: 'search' },
      { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'get_weather', arguments: OSLO },
    ],
  },
  anthropic_messages: {
    type: 'message',
    role: 'assistant',
    stop_reason: 'tool_use',
    content: [
      { type: 'thinking', thinking: 'x' },
      { type: 'text', text: 'Hm.' },
      { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
      { type: 'tool_use', id: 'c1', name: 'get_weather', input: { city: 'Oslo' } },
    ],
  },
  gemini: {
    candidates: [
      {
        content: {
          role: 'model',
          parts: [
            { text: 'thinking', thought: true },
            { text: 'Hm.' },
            {
              functionCall: { id: 'c1', name: 'get_weather', args: { city: 'Oslo' } },
              thoughtSignature: 's',
            },
          ],
        },
      },
    ],
  },
  ollama: {
    model: 'm',
    message: {
      role: 'assistant',
      content: 'Hm.',
      tool_calls: [{ function: { name: 'get_weather', arguments: { city: 'Oslo' } } }],
    },
    done: true,
  },
  bedrock_converse: {
    output: {
      message: {
        role: 'assistant',
        content: [
          { reasoningContent: { reasoningText: { text: 'x' } } },
          { text: 'Hm.' },
          { toolUse: { toolUseId: 'c1', name: 'get_weather', input: { city: 'Oslo' } } },
        ],
      },
    },
    stopReason: 'tool_use',
  },
  cohere_v2: {
    id: 'x',
    message: {
      role: 'assistant',
      tool_plan: 'x',
      content: [{ type: 'text', text: 'Hm.' }],
      tool_calls: [chatCall(OSLO, 'c1')],
    },
    finish_reason: 'TOOL_CALL',
  },
  cohere_v1: {
    response_id: 'r',
    generation_id: 'g',
    text: 'Hm.',
    tool_calls: [{ name: 'get_weather', parameters: { city: 'Oslo' } }],
    finish_reason: 'COMPLETE',
  },
  google_interactions: {
    object: 'interaction',
    status: 'requires_action',
    steps: [
      { type: 'thought', signature: 's' },
      { type: 'model_output', content: [{ type: 'text', text: 'Hm.' }] },
      { type: 'function_call', id: 'c1', name: 'get_weather', arguments: { city: 'Oslo' } },
    ],
  },
};
/** Providers that give their calls no ids. */
const NAMELESS = ['openai_chat_legacy', 'ollama', 'cohere_v1'];

describe('wire bodies', () => {
  it.each(Object.entries(BODIES))('reads %s as an object and as JSON text', (format, body) => {
    const hasId = !NAMELESS.includes(format);
    for (const response of [body, JSON.stringify(body), `\ufeff\n${JSON.stringify(body, null, 2)}\n`]) {
      const result = parseToolCalls(response, { tools: TOOLS });
      expect(result.format).toBe(format);
      expect(result.text).toBe('Hm.');
      expect(result.problems).toEqual([]);
      expect(result.calls).toMatchObject([
        {
          id: hasId ? 'c1' : 'call_1',
          name: 'get_weather',
          arguments: { city: 'Oslo' },
          format,
          repaired: false,
          complete: true,
        },
      ]);
    }
  });

  it.each([
    ['nothing', undefined, {}],
    ['null', null, {}],
    ['an empty string', '', {}],
    ['an object', { city: 'Oslo' }, { city: 'Oslo' }],
    ['JSON encoded twice', JSON.stringify(OSLO), { city: 'Oslo' }],
    ['broken JSON', '{"city":"Oslo",}', { city: 'Oslo' }],
    ['prose', 'Oslo please', 'Oslo please'],
  ])('takes arguments that are %s', (_, args, expected) => {
    const result = parseToolCalls(chat({ tool_calls: [chatCall(args)] }), { tools: TOOLS });
    expect(brief(result)).toEqual([['get_weather', expected]]);
  });

  it('marks a call that was cut off, and only that one', () => {
    const body = chat({ tool_calls: [chatCall(OSLO), chatCall('{"city":"Os')] }, 'length');
    for (const response of [body, JSON.stringify(body)]) {
      expect(parseToolCalls(response).calls.map(({ complete }) => complete)).toEqual([true, false]);
    }
    const claude = { ...BODIES.anthropic_messages, stop_reason: 'max_tokens' };
    for (const response of [claude, JSON.stringify(claude)]) {
      expect(parseToolCalls(response).calls.map(({ complete }) => complete)).toEqual([false]);
    }
  });

  it('finds calls that a provider has left in the text', () => {
    const content = 'I will.<tool_call>{"name":"now","arguments":{}}</tool_call>';
    for (const response of [chat({ content }), JSON.stringify(chat({ content }))]) {
      const result = parseToolCalls(response);
      expect([brief(result), result.text, result.format]).toEqual([[['now', {}]], 'I will.', 'openai_chat']);
    }
    const listed = chat({ content, tool_calls: [chatCall(OSLO)] });
    expect(parseToolCalls(listed)).toMatchObject({ calls: [{ name: 'get_weather' }], text: content });
  });

  it('reads raw text of a custom tool as its input', () => {
    const item = { type: 'custom_tool_call', call_id: 'c', name: 'write_sql', input: 'SELECT 1' };
    expect(brief(parseToolCalls({ output: [item] }))).toEqual([['write_sql', { input: 'SELECT 1' }]]);
  });

  it('unwraps parallel uses', () => {
    const uses = [
      { recipient_name: 'functions.now', parameters: {} },
      { recipient_name: 'functions.get_weather', parameters: { city: 'a' } },
    ];
    const text = `<tool_call>${JSON.stringify({ name: 'multi_tool_use.parallel', arguments: { tool_uses: uses } })}</tool_call>`;
    expect(brief(parseToolCalls(text, { tools: TOOLS }))).toEqual([
      ['now', {}],
      ['get_weather', { city: 'a' }],
    ]);
  });

  it('unwraps parallel uses that a provider has not unwrapped', () => {
    const uses = [{ recipient_name: 'functions.now', parameters: {} }];
    const call = { id: 'p', type: 'function', function: { name: 'multi_tool_use.parallel', arguments: '' } };
    const wrapped = (args: unknown) => ({ ...call, function: { ...call.function, arguments: args } });
    for (const args of [{ tool_uses: uses }, JSON.stringify({ tool_uses: uses })]) {
      const result = parseToolCalls(chat({ tool_calls: [wrapped(args)] }), { tools: TOOLS });
      expect(result.calls).toMatchObject([{ id: 'p_1', name: 'now', arguments: {} }]);
    }
    expect(brief(parseToolCalls(chat({ tool_calls: [wrapped('{}')] })))).toEqual([
      ['multi_tool_use.parallel', {}],
    ]);
  });

  it('takes the calls of the choice that has them when the first one says that there are some', () => {
    const choice = (message: object, finish_reason: string) => ({ message, finish_reason });
    const calling = { content: null, tool_calls: [chatCall(OSLO, 'c1')] };
    const split = { choices: [choice({ content: 'Hm.' }, 'tool_calls'), choice(calling, 'tool_calls')] };
    const result = parseToolCalls(split);
    expect([brief(result), result.text]).toEqual([[['get_weather', { city: 'Oslo' }]], 'Hm.']);
    const others = { choices: [choice({ content: 'Hm.' }, 'stop'), choice(calling, 'tool_calls')] };
    expect(parseToolCalls(others).calls).toEqual([]);
  });

  it.each([
    ['anthropic_messages', { ...BODIES.anthropic_messages, stop_reason: 'refusal' }],
    ['openai_chat', chat({ tool_calls: [chatCall(OSLO)] }, 'content_filter')],
    ['openai_responses', { ...BODIES.openai_responses, status: 'failed' }],
    ['bedrock_converse', { ...BODIES.bedrock_converse, stopReason: 'guardrail_intervened' }],
    ['gemini', { candidates: [{ ...BODIES.gemini.candidates[0], finishReason: 'SAFETY' }] }],
  ])('lets no call run that %s took back', (format, body) => {
    for (const response of [body, JSON.stringify(body)]) {
      const result = parseToolCalls(response);
      expect([result.format, result.calls.map(({ complete }) => complete)]).toEqual([format, [false]]);
      expect(codes(result)).toContain('provider-refused');
    }
  });

  it('lets no call run that stands in text which the provider took back', () => {
    const body = chat({ content: '<tool_call>{"name":"now","arguments":{}}</tool_call>' }, 'content_filter');
    for (const response of [body, JSON.stringify(body)]) {
      expect(parseToolCalls(response).calls).toMatchObject([{ name: 'now', complete: false }]);
    }
  });

  it.each(Object.entries(BODIES))('never takes a call of %s that was cut off for a whole one', (_, body) => {
    const text = JSON.stringify(body);
    for (let at = 0; at < text.length; at += 1) {
      for (const call of parseToolCalls(text.slice(0, at), { tools: TOOLS }).calls) {
        if (call.complete) expect(call.arguments).toEqual({ city: 'Oslo' });
      }
    }
  });

  it('reads the text bodies of InvokeModel, of completions and of generate', () => {
    const text = 'Hm.<tool_call>{"name":"now","arguments":{}}</tool_call>';
    const bodies = [
      { generation: text, stop_reason: 'stop', generation_token_count: 3 },
      { outputs: [{ text, stop_reason: 'stop' }] },
      { object: 'text_completion', choices: [{ index: 0, text, finish_reason: 'stop' }] },
      { model: 'm', response: text, done: true },
    ];
    for (const body of bodies) {
      const result = parseToolCalls(body, { tools: TOOLS });
      expect([brief(result), result.text]).toEqual([[['now', {}]], 'Hm.']);
      expect(result.calls).toMatchObject([{ start: 0, end: 0 }]);
      const whole = JSON.stringify(body);
      expect(parseToolCalls(whole).calls).toMatchObject([{ start: 0, end: whole.length }]);
    }
  });

  it('keeps a refusal as text', () => {
    expect(parseToolCalls(chat({ content: null, refusal: 'No.' }, 'stop')).text).toBe('No.');
    const content = [{ type: 'refusal', refusal: 'No.' }];
    expect(parseToolCalls({ object: 'response', output: [{ type: 'message', content }] }).text).toBe('No.');
  });
});
