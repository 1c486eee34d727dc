import { describe, expect, it } from '@jest/globals';
import { parseToolCalls, type ToolSpec } from '../../../../src/pkg/toolparse/index.js';
import { brief, codes, TOOLS } from '../fixtures.js';

const parse = (text: string, tools: readonly ToolSpec[] = TOOLS) => parseToolCalls(text, { tools });
const marked = (code: string) => `<|tool_call_start|>${code}<|tool_call_end|>`;

describe('calls as code', () => {
  it.each([
    ['quotes of both kinds', `f(a='x', b="y")`, { a: 'x', b: 'y' }],
    [
      'escapes',
      String.raw`f(a='it\'s', b="\"q\"\n\u00e9\x41", c='\d')`,
      { a: "it's", b: '"q"\n\u00e9A', c: '\\d' },
    ],
    [
      'raw and long strings',
      `f(a=r'\\d', b="""x\n"y" z""", c='p' 'q')`,
      { a: '\\d', b: 'x\n"y" z', c: 'pq' },
    ],
    ['literals', 'f(a=True, b=None, c=false, d=null)', { a: true, b: null, c: false, d: null }],
    ['numbers', 'f(a=-1, b=+2.5, c=1e3, d=1_000, e=0x1F)', { a: -1, b: 2.5, c: 1000, d: 1000, e: 31 }],
    [
      'containers',
      "f(a=[1, (2, 3)], b={'k': {'l': []}, 1: 2})",
      { a: [1, [2, 3]], b: { k: { l: [] }, 1: 2 } },
    ],
    ['comments and line breaks', 'f(\n  a=1, # one\n  b=2,\n)', { a: 1, b: 2 }],
    ['the closing mark in a string', `f(a='<|tool_call_end|>')`, { a: '<|tool_call_end|>' }],
  ])('reads %s', (_, code, args) => {
    for (const text of [marked(`[${code}]`), marked(code), `<function_calls>${code}</function_calls>`]) {
      const result = parse(`a ${text} b`, [{ name: 'f' }]);
      expect([brief(result), result.text]).toEqual([[['f', args]], 'a  b']);
      expect(result.calls[0]).toMatchObject({ repaired: false, complete: true });
    }
  });

  it('reads several calls, one a line or in a list, with dotted names', () => {
    const expected = [
      ['a.b', { x: 1 }],
      ['c', {}],
    ];
    expect(brief(parseToolCalls('<function_calls>a.b(x=1)\nc()</function_calls>'))).toEqual(expected);
    expect(brief(parseToolCalls(marked('[a.b(x=1), c()]')))).toEqual(expected);
  });

  it('mends quotes inside strings, and says so', () => {
    const result = parse(marked("[now(command='sed -n '1,2p' /a')]"));
    expect([brief(result), codes(result)]).toEqual([
      [['now', { command: "sed -n '1,2p' /a" }]],
      ['json-repaired'],
    ]);
  });

  it('gives arguments without a name those of the schema', () => {
    expect(brief(parse('[get_weather("Oslo", 3)]'))).toEqual([['get_weather', { city: 'Oslo', days: 3 }]]);
    expect(parseToolCalls(marked('[f(1)]')).calls).toMatchObject([{ complete: false }]);
  });

  it('reads JSON between its marks, too', () => {
    expect(brief(parse(marked('[{"name": "now", "arguments": {"a": 1}}]')))).toEqual([['now', { a: 1 }]]);
  });

  it('reads a bare list for declared tools only, and no prose in brackets', () => {
    expect(brief(parse('So: [get_weather(city="Oslo"), now()]'))).toHaveLength(2);
    for (const text of [
      '[f(x=1)]',
      '[see now]',
      '[now (later)',
      '[now(A=\t)A(A=,\t',
      'now(a=1)',
      '[link](now())',
    ])
      expect([brief(parse(text)), parse(text).text]).toEqual([[], text]);
  });

  it('reads a tool_code fence, and the call inside print()', () => {
    expect(brief(parse('```tool_code\nprint(get_weather(city="Oslo"))\n```'))).toEqual([
      ['get_weather', { city: 'Oslo' }],
    ]);
    expect(brief(parse('```python\nprint(get_weather(city="Oslo"))\n```'))).toEqual([]);
  });

  it('calls nothing complete that is cut off', () => {
    const whole = marked('[get_weather(city="Oslo", days=35)]');
    for (let end = 1; end < whole.length; end += 1) {
      for (const call of parse(whole.slice(0, end)).calls)
        expect([end, call.complete]).toEqual([end, end >= whole.indexOf(')') + 1]);
    }
  });
});
