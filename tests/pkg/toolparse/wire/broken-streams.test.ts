import { describe, expect, it } from '@jest/globals';
import { createToolCallStream, type Json, parseToolCalls } from '../../../../src/pkg/toolparse/index.js';
import { brief, codes, TOOLS } from '../fixtures.js';
import { CHAT_END, chatEvents, lines, STREAMS, sse } from './streams.js';

const flags = (text: string) => parseToolCalls(text).calls.map(({ complete }) => complete);
const event = (format: string, index: number): Json => STREAMS[format]?.[index] ?? {};
const call = (args: string, rest: object = {}) => ({
  tool_calls: [{ index: 0, id: 'a', function: { name: 'now', arguments: args }, ...rest }],
});

describe('broken event streams', () => {
  it.each(Object.entries(STREAMS))(
    'never takes a call of %s that was cut off for a whole one',
    (_, events) => {
      const text = lines(events);
      const whole = parseToolCalls(text).calls;
      for (let at = 0; at <= text.length; at += 1) {
        const { calls } = parseToolCalls(text.slice(0, at));
        for (const [index, { complete, arguments: args }] of calls.entries()) {
          if (complete) expect(args).toEqual(whole[index]?.arguments);
        }
      }
    },
  );

  it('says that a stream broke off, and keeps what there is', () => {
    const events = STREAMS.openai_chat ?? [];
    const result = parseToolCalls(sse(events.slice(0, 5), ''), { tools: TOOLS });
    expect(brief(result)).toEqual([['get_weather', { city: 'Os' }]]);
    expect(result.calls).toMatchObject([{ complete: false, repaired: true }]);
    expect(codes(result)).toEqual(['call-truncated', 'json-repaired', 'stream-truncated']);
  });

  it('does not run a call whose arguments never came, when the reply was cut', () => {
    const start = event('anthropic_messages', 13);
    const stop = event('anthropic_messages', 14);
    const end = (stop_reason: string) => ({ type: 'message_delta', delta: { stop_reason } });
    expect(flags(lines([start, stop, end('max_tokens')]))).toEqual([false]);
    expect(flags(lines([start, stop, end('tool_use')]))).toEqual([true]);
    expect(flags(lines([start, stop]))).toEqual([false]);
    expect(
      flags(sse([...chatEvents(call('')), { choices: [{ delta: {}, finish_reason: 'length' }] }])),
    ).toEqual([false]);
    const line = (done: boolean, reason: string) => ({ message: { content: '' }, done, done_reason: reason });
    expect(flags(lines([event('ollama', 1), line(true, 'length')]))).toEqual([false]);
    expect(flags(lines([event('ollama', 1), event('ollama', 0), line(true, 'length')]))).toEqual([true]);
  });

  it.each([
    ['anthropic_messages', { type: 'message_delta', delta: { stop_reason: 'refusal' } }],
    ['openai_chat', { choices: [{ delta: {}, finish_reason: 'content_filter' }] }],
    ['gemini', { candidates: [{ finishReason: 'SAFETY' }] }],
    ['bedrock_converse', { messageStop: { stopReason: 'guardrail_intervened' } }],
    [
      'openai_responses',
      { type: 'response.failed', response: { status: 'failed', error: { message: 'no' } } },
    ],
  ])('lets no call run that %s took back', (format, refusal) => {
    const events = STREAMS[format] ?? [];
    const isLast = (value: object) =>
      /STOP|stop_reason|finish_reason":"|messageStop|completed/.test(JSON.stringify(value));
    const at = events.findIndex(isLast);
    const result = parseToolCalls(lines([...events.slice(0, at), refusal]));
    expect(result.calls.length).toBeGreaterThan(0);
    expect(result.calls.every(({ complete }) => !complete)).toBe(true);
    expect(codes(result)).toContain('provider-refused');
  });

  it.each([
    ['an error in an event', { error: { message: 'overloaded', type: 'server_error' } }],
    [
      'an event that is an error',
      { type: 'error', error: { type: 'overloaded_error', message: 'overloaded' } },
    ],
    ['an error that is text', { error: 'overloaded' }],
  ])('reports %s', (_, error) => {
    const events = (STREAMS.openai_chat ?? []).slice(0, 5);
    const result = parseToolCalls(sse([...events, error], ''));
    expect(result.calls).toMatchObject([{ complete: false }]);
    expect(result.problems.find(({ code }) => code === 'provider-error')?.message).toContain('overloaded');
    const alone = parseToolCalls(sse([error], ''));
    expect([alone.calls, alone.text, codes(alone)[0]]).toEqual([[], sse([error], ''), 'provider-error']);
    const body = parseToolCalls(JSON.stringify(error));
    expect([body.calls, body.text, codes(body)]).toEqual([[], JSON.stringify(error), ['provider-error']]);
    expect(codes(parseToolCalls(error))).toEqual(['provider-error']);
  });

  it('passes over what is no event, and loses none of its neighbours', () => {
    const events = STREAMS.openai_chat ?? [];
    const broken = [
      '{"choices":[{"delta":{"content":"lo',
      'Gateway timeout',
      '{"choices":[',
      '{"a":tru',
      'null',
    ];
    for (const line of broken) {
      const text = [
        ...events.slice(0, 4).map((one) => JSON.stringify(one)),
        line,
        lines(events.slice(4)),
      ].join('\n');
      const result = parseToolCalls(text, { tools: TOOLS });
      expect(brief(result)).toEqual([
        ['get_weather', { city: 'Oslo 😀' }],
        ['now', {}],
      ]);
      expect(codes(result)).toEqual(['event-unreadable']);
    }
  });

  it('flags arguments that had to be mended, and says what was done', () => {
    const result = parseToolCalls(
      sse([...chatEvents(call("{'city': ")), ...chatEvents(call('None,}')), CHAT_END]),
    );
    expect(result.calls).toMatchObject([{ arguments: { city: null }, repaired: true, complete: true }]);
    expect(codes(result)).toEqual(['json-repaired']);
  });

  it('does not run a call that gives a parameter twice', () => {
    const streams = [
      sse([...chatEvents(call('{"a":1,"a":2}')), CHAT_END]),
      '{"message":{"tool_calls":[{"function":{"name":"f","arguments":{"a":1,"a":2}}}]},"done":false}\n',
    ];
    for (const text of streams) {
      expect(flags(text)).toEqual([false]);
      expect(codes(parseToolCalls(text))).toContain('duplicate-parameter');
    }
  });

  it('leaves the stream of a provider that it does not know as it is', () => {
    for (const text of ['data: {"x":1}\n\ndata: {"y":2}\n\n', 'event: tick\ndata: {"x":1}\n\n']) {
      const result = parseToolCalls(text, { tools: TOOLS });
      expect([result.calls, result.text, codes(result)]).toEqual([[], text, ['stream-unsupported']]);
    }
  });

  it.each([
    'data: the facts\nare these',
    'event: a party\n\nBring wine.',
    'id: 7\nname: x',
    ': smile\n:-)',
    'data',
    'retry',
  ])('reads prose that begins like a stream as prose: %s', (text) => {
    const call = '<tool_call>{"name":"now","arguments":{}}</tool_call>';
    const result = parseToolCalls(`${text}\n${call}`);
    expect([brief(result), result.text]).toEqual([[['now', {}]], `${text}\n`]);
  });

  it.each([
    '{"candidates": ["Ann", "Bob"]}',
    '{"candidates": [{"name": "Ann"}]}',
    '{"choices": []}',
    '{"bytes": "12"}',
    '{"chunk": {"bytes": "12"}}',
    '{"type": "ping"}',
    '{"error": "no such file", "path": "a", "hint": "b"}',
    '{"message": "hello", "done": true}',
    '{"output": []}',
  ])('leaves JSON alone that only looks like a provider: %s', (text) => {
    for (const response of [text, `${text}\n${text}\n`]) {
      expect(parseToolCalls(response, { tools: TOOLS })).toEqual({
        calls: [],
        text: response,
        format: 'text',
        problems: [],
      });
    }
  });

  it('tells nothing more of a call that it has handed on', () => {
    const stream = createToolCallStream();
    stream.push(sse([...chatEvents(call('{}')), CHAT_END], ''));
    expect(
      stream.push(sse(chatEvents({ tool_calls: [{ index: 0, function: { arguments: 'x' } }] }))),
    ).toEqual([]);
    expect(stream.end().calls).toMatchObject([{ arguments: {}, complete: true }]);
  });
});
