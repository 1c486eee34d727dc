import { describe, expect, it } from '@jest/globals';
import { listFormats, parseToolCalls } from '../../../src/pkg/toolparse/index.js';
import { brief, codes, TOOLS } from './fixtures.js';

describe('parseToolCalls', () => {
  it('returns calls with their place, and the text around them untouched', () => {
    const text = 'Let me look.\n<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>\n\nDone.';
    expect(parseToolCalls(text, { tools: TOOLS })).toEqual({
      calls: [
        {
          id: 'call_1',
          name: 'now',
          arguments: {},
          format: 'hermes',
          start: 13,
          end: 70,
          repaired: false,
          complete: true,
        },
      ],
      text: 'Let me look.\n\n\nDone.',
      format: 'hermes',
      problems: [],
    });
    expect(text.slice(13, 70)).toMatch(/^<tool_call>[\s\S]*<\/tool_call>$/);
  });

  it('reads text without calls as text', () => {
    expect(parseToolCalls('Just words.')).toEqual({
      calls: [],
      text: 'Just words.',
      format: 'text',
      problems: [],
    });
  });

  it('reads the example of every listed text format, found out or named', () => {
    const tools = [{ name: 'get_weather' }];
    const formats = listFormats().filter(({ kind }) => kind === 'text');
    expect(formats.length).toBeGreaterThanOrEqual(60);
    for (const { id, sameAs, example } of formats) {
      for (const format of ['auto', id]) {
        const result = parseToolCalls(example ?? '', { tools, format });
        expect([id, brief(result), result.format, result.text, result.problems]).toEqual([
          id,
          [['get_weather', { city: 'Oslo' }]],
          format === 'auto' ? (sameAs ?? id) : id,
          '',
          [],
        ]);
      }
    }
  });

  it('numbers calls by position and keeps ids that the model gave', () => {
    const text =
      '<tool_call>{"name":"now"}</tool_call>[TOOL_CALLS]now[CALL_ID]abc123[ARGS]{}<tool_call>{"name":"now"}</tool_call>';
    expect(parseToolCalls(text).calls.map(({ id }) => id)).toEqual(['call_1', 'abc123', 'call_3']);
  });

  it('gives every call an id of its own, even when the model repeats one or takes a positional one', () => {
    const text = [
      '[TOOL_CALLS]a[CALL_ID]x[ARGS]{}',
      '[TOOL_CALLS]b[CALL_ID]x[ARGS]{}',
      '[TOOL_CALLS]c[CALL_ID]call_4[ARGS]{}',
      '<tool_call>{"name":"d"}</tool_call>',
    ].join('');
    const result = parseToolCalls(text);
    expect(result.calls.map(({ id }) => id)).toEqual(['x', 'call_2', 'call_4', 'call_4_']);
    expect(codes(result)).toEqual(['id-duplicate']);
  });

  it('keeps an unknown tool beside its neighbours and says so', () => {
    const text = '<tool_call>[{"name":"nope","arguments":{}},{"name":"now","arguments":{}}]</tool_call>';
    const result = parseToolCalls(text, { tools: TOOLS });
    expect(brief(result)).toEqual([
      ['nope', {}],
      ['now', {}],
    ]);
    expect(codes(result)).toEqual(['tool-unknown']);
  });

  it('drops an unknown tool alone when asked to, and leaves a block of nothing else in the text', () => {
    const options = { tools: TOOLS, unknownTools: 'drop' } as const;
    const mixed = '<tool_call>[{"name":"nope","arguments":{}},{"name":"now","arguments":{}}]</tool_call>';
    expect(brief(parseToolCalls(mixed, options))).toEqual([['now', {}]]);
    const alone = 'a <tool_call>{"name":"nope"}</tool_call> b';
    const result = parseToolCalls(alone, options);
    expect([result.calls, result.text, codes(result)]).toEqual([[], alone, ['tool-unknown']]);
  });

  it('takes a namespace off a name when only the rest is declared', () => {
    const text = '<tool_call>{"name":"functions.now","arguments":{}}</tool_call>';
    const result = parseToolCalls(text, { tools: TOOLS });
    expect([brief(result), codes(result)]).toEqual([[['now', {}]], ['tool-renamed']]);
    expect(brief(parseToolCalls(text))).toEqual([['functions.now', {}]]);
  });

  it('looks only for the format that is named', () => {
    const text = '<tool_call>{"name":"now"}</tool_call>[TOOL_CALLS]now{}';
    const result = parseToolCalls(text, { format: 'mistral' });
    expect([brief(result), result.text]).toEqual([[['now', {}]], '<tool_call>{"name":"now"}</tool_call>']);
  });

  it('throws for a format that does not exist, which no model can cause', () => {
    expect(() => parseToolCalls('', { format: 'morse' })).toThrow(
      'There is no tool-call format "morse"; see listFormats().',
    );
  });

  it('keeps __proto__ as plain data', () => {
    for (const json of [
      '{"name":"now","arguments":{"__proto__":{"x":1}}}',
      '{name:"now",arguments:{__proto__:{"x":1}}}',
    ]) {
      const [call] = parseToolCalls(`<tool_call>${json}</tool_call>`, { unusableCalls: 'keep' }).calls;
      expect(Object.keys(call?.arguments as object)).toEqual(['__proto__']);
      expect(Object.getPrototypeOf(call?.arguments)).toBe(Object.prototype);
    }
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  it('survives whatever is passed as a response', () => {
    for (const body of [{}, [], null, undefined, 7, { choices: 1 }, { content: [null, 1] }]) {
      const result = parseToolCalls(body as object);
      expect([result.calls, result.text]).toEqual([[], '']);
      expect(codes(result)).toEqual(['body-unrecognised']);
    }
  });

  it('survives absurd input', () => {
    const call = '{"name":"now","arguments":{}}';
    const many = `<tool_call>[${Array(150_000).fill(call).join(',')}]</tool_call>`;
    expect(parseToolCalls(many).calls).toHaveLength(150_000);
    const deep = `<tool_call>{"name":"now","arguments":${'['.repeat(200_000)}`;
    expect(parseToolCalls(deep, { tools: TOOLS }).calls.every(({ complete }) => !complete)).toBe(true);
    const name = `${'a'.repeat(300_000)}.`;
    const body = { choices: [{ message: { tool_calls: [{ function: { name } }] } }] };
    expect(parseToolCalls(body, { tools: TOOLS }).calls).toHaveLength(1);
  });
});
