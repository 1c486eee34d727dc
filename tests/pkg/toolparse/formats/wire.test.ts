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
};

describe('wire bodies', () => {
  it.each(Object.entries(BODIES))('reads %s as an object and as JSON text', (format, body) => {
    const hasId = format !== 'openai_chat_legacy' && format !== 'ollama';
    for (const response of [body, JSON.stringify(body), `\n${JSON.stringify(body, null, 2)}\n`]) {
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

  it('reads the lines of an Ollama stream', () => {
    const line = (content: string, done: boolean, calls: object[] = []) =>
      JSON.stringify({ message: { role: 'assistant', content, tool_calls: calls }, done });
    const call = { function: { name: 'now', arguments: {} } };
    const text = [line('Hi', false), line(' you', false, [call]), line('', true)].join('\n');
    const result = parseToolCalls(text);
    expect([brief(result), result.text]).toEqual([[['now', {}]], 'Hi you']);
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

  it('says that event streams are not read yet, and calls nothing out of them', () => {
    const delta = { choices: [{ index: 0, delta: { tool_calls: [chatCall(OSLO)] } }] };
    const streams = [
      `data: ${JSON.stringify(delta)}\n\ndata: [DONE]\n\n`,
      `event: message_start\ndata: {"type":"message_start"}\n\n`,
      JSON.stringify(delta),
      '{"type":"content_block_start","content_block":{"type":"tool_use","name":"now","input":{}}}\n{"type":"message_stop"}',
    ];
    for (const stream of streams) {
      const result = parseToolCalls(stream, { tools: TOOLS });
      expect([brief(result), result.text, codes(result)]).toEqual([[], stream, ['stream-unsupported']]);
    }
  });
});
