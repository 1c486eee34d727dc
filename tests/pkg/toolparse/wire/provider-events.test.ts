import { describe, expect, it } from '@jest/globals';
import {
  createToolCallStream,
  type JsonObject,
  parseToolCalls,
} from '../../../../src/pkg/toolparse/index.js';
import { brief, codes } from '../fixtures.js';
import { lines, STREAMS, sse } from './streams.js';

describe('Gemini events', () => {
  const call = (functionCall: JsonObject) => ({ candidates: [{ content: { parts: [{ functionCall }] } }] });
  const begin = call({ name: 'f', willContinue: true });
  const add = (...partialArgs: JsonObject[]) => call({ partialArgs, willContinue: true });
  const stop = { candidates: [{ finishReason: 'STOP' }] };
  const read = (...events: readonly JsonObject[]) => parseToolCalls(lines([begin, ...events, stop]));

  it('puts values at their paths, and strings together', () => {
    const result = read(
      add(
        { jsonPath: '$.list[0].a', stringValue: 'x', willContinue: true },
        { jsonPath: '$.list[0].a', stringValue: 'y' },
      ),
      add({ jsonPath: '$.list[0].n', numberValue: 0.5 }, { jsonPath: '$.list[1].a', boolValue: false }),
      add(
        { jsonPath: "$['odd key'].b", nullValue: 'NULL_VALUE' },
        { jsonPath: '$.__proto__.c', numberValue: 1 },
      ),
    );
    const expected = JSON.parse(
      '{"list":[{"a":"xy","n":0.5},{"a":false}],"odd key":{"b":null},"__proto__":{"c":1}}',
    );
    expect(JSON.stringify(result.calls[0]?.arguments)).toBe(JSON.stringify(expected));
    expect([result.calls[0]?.complete, codes(result)]).toEqual([true, []]);
  });

  it('tells them as JSON text, until they come out of order', () => {
    const stream = createToolCallStream();
    const ordered = [
      add({ jsonPath: '$.a[0].b', stringValue: 'x"' }),
      add({ jsonPath: '$.a[0].b', stringValue: 'y' }, { jsonPath: '$.a[0].c', numberValue: 1 }),
      add({ jsonPath: '$.a[1].b', boolValue: true }, { jsonPath: '$.d', nullValue: null }),
      call({}),
      stop,
    ];
    const told = stream
      .push(lines([begin, ...ordered]))
      .map((event) => (event.type === 'block-delta' ? event.text : ''));
    expect(told.join('')).toBe('{"a":[{"b":"x\\"y","c":1},{"b":true}],"d":null}');
    expect(stream.end().calls).toMatchObject([{ arguments: JSON.parse(told.join('')) }]);
    const mixed = read(
      add(
        { jsonPath: '$.a.b', numberValue: 1 },
        { jsonPath: '$.c', numberValue: 2 },
        { jsonPath: '$.a.d', numberValue: 3 },
      ),
    );
    expect(brief(mixed)).toEqual([['f', { a: { b: 1, d: 3 }, c: 2 }]]);
  });

  it.each([
    [
      'a value twice',
      [
        { jsonPath: '$.a', numberValue: 1 },
        { jsonPath: '$.a', numberValue: 2 },
      ],
    ],
    [
      'a value inside a value',
      [
        { jsonPath: '$.a', numberValue: 1 },
        { jsonPath: '$.a.b', numberValue: 2 },
      ],
    ],
    ['a gap in a list', [{ jsonPath: '$.a[999999]', numberValue: 1 }]],
    ['a path that is none', [{ jsonPath: 'a b', numberValue: 1 }]],
    ['no path', [{ numberValue: 1 }]],
    [
      'a list and an object',
      [
        { jsonPath: '$.a[0]', numberValue: 1 },
        { jsonPath: '$.a.b', numberValue: 2 },
      ],
    ],
  ])('does not run a call with %s', (_, parts) => {
    const result = read(add(...parts));
    expect(result.calls).toMatchObject([{ name: 'f', complete: false }]);
    expect(codes(result)).toContain('duplicate-parameter');
  });

  it('takes a call for whole when the next begins or the reply ends, and not when the stream breaks off', () => {
    const a = add({ jsonPath: '$.a', stringValue: 'x' });
    expect(read(a, begin, a).calls.map(({ complete }) => complete)).toEqual([true, true]);
    expect(parseToolCalls(lines([begin, a])).calls).toMatchObject([
      { arguments: { a: 'x' }, complete: false },
    ]);
    const cut = { candidates: [{ finishReason: 'MAX_TOKENS' }] };
    expect(parseToolCalls(lines([begin, a, cut])).calls).toMatchObject([{ complete: false }]);
  });

  it('says that the provider could not read a call', () => {
    const reason = { candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'print(x)' }] };
    expect(codes(parseToolCalls(lines([reason])))).toEqual(['call-unreadable']);
  });
});

describe('Responses events', () => {
  it('reads custom tools as their text', () => {
    const item = { type: 'custom_tool_call', id: 'ct', call_id: 'c', name: 'sql' };
    const events = [
      { type: 'response.output_item.added', output_index: 0, item: { ...item, input: '' } },
      { type: 'response.custom_tool_call_input.delta', item_id: 'ct', output_index: 0, delta: 'SELECT ' },
      { type: 'response.custom_tool_call_input.delta', item_id: 'ct', output_index: 0, delta: '1' },
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: { ...item, input: 'SELECT 1', status: 'completed' },
      },
      { type: 'response.completed', response: { status: 'completed', output: [] } },
    ];
    expect(parseToolCalls(lines(events)).calls).toMatchObject([
      { id: 'c', name: 'sql', arguments: { input: 'SELECT 1' }, complete: true },
    ]);
    expect(parseToolCalls(lines(events.slice(0, 2))).calls).toMatchObject([
      { arguments: { input: 'SELECT ' }, complete: false },
    ]);
  });

  it('takes from the last event what no other has told', () => {
    const output = [
      { type: 'message', content: [{ type: 'output_text', text: 'Hm.' }] },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{"a":1}' },
    ];
    const end = { type: 'response.completed', response: { status: 'completed', output } };
    const result = parseToolCalls(lines([{ type: 'response.created', response: {} }, end]));
    expect([brief(result), result.text]).toEqual([[['f', { a: 1 }]], 'Hm.']);
    const twice = parseToolCalls(lines([...(STREAMS.openai_responses ?? []).slice(0, -1), end]));
    expect(twice.text).toBe('Hm.');
  });
});

describe('Anthropic events', () => {
  it('takes the input of the first event when no other follows', () => {
    const block = { type: 'tool_use', id: 'c', name: 'f', input: { a: 1 } };
    const events = [
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_stop' },
    ];
    expect(parseToolCalls(lines(events)).calls).toMatchObject([{ arguments: { a: 1 }, complete: true }]);
    const twice = lines(events).replace('"a":1', '"a":2,"a":1');
    expect(parseToolCalls(twice).calls).toMatchObject([{ arguments: { a: 1 }, complete: false }]);
  });
});

describe('Bedrock events', () => {
  it('reads the events of InvokeModel, which are in Base64', () => {
    const bytes = (event: object) => ({
      chunk: { bytes: Buffer.from(JSON.stringify(event)).toString('base64') },
    });
    const result = parseToolCalls(lines((STREAMS.anthropic_messages ?? []).map(bytes)));
    expect(brief(result)).toEqual([
      ['get_weather', { city: 'Oslo 😀' }],
      ['now', {}],
    ]);
    const broken = [bytes({ type: 'message_start' }), { chunk: { bytes: '%%%' } }];
    expect(codes(parseToolCalls(lines(broken)))).toContain('event-unreadable');
  });

  it('reads events that are named outside of them', () => {
    const named = (STREAMS.bedrock_converse ?? []).map((event) => {
      const [[name, value] = ['', {}]] = Object.entries(event);
      return `event: ${name}\ndata: ${JSON.stringify(value)}\n\n`;
    });
    expect(parseToolCalls(named.join('')).calls.map(({ name }) => name)).toEqual(['get_weather', 'now']);
  });
});

describe('bodies in events', () => {
  it('reads a body that is sent as one event', () => {
    const body = {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'c', name: 'f', input: {} }],
    };
    expect(parseToolCalls(sse([body], ''))).toMatchObject({
      calls: [{ name: 'f', complete: true }],
      problems: [],
    });
  });
});
