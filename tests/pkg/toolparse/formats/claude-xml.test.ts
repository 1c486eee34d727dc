import { describe, expect, it } from '@jest/globals';
import { parseToolCalls, type ToolSpec } from '../../../../src/pkg/toolparse/index.js';
import { brief, codes, TOOLS } from '../fixtures.js';

/** A call in the tags that Claude writes, with any prefix before the tag names. */
function xml(name: string, parameters: Readonly<Record<string, string>>, prefix = ''): string {
  const tags = Object.entries(parameters).map(
    ([key, value]) => `<${prefix}parameter name="${key}">${value}</${prefix}parameter>`,
  );
  return [`<${prefix}invoke name="${name}">`, ...tags, `</${prefix}invoke>`].join('\n');
}
const wrap = (calls: string, prefix = '') =>
  `<${prefix}function_calls>\n${calls}\n</${prefix}function_calls>`;
const parse = (text: string, tools: readonly ToolSpec[] = TOOLS) => parseToolCalls(text, { tools });

describe('claude xml', () => {
  it.each(['', ['ant', 'ml:'].join(''), 'x:', 'my-ns:'])(
    'reads wrapped calls with the prefix %j',
    (prefix) => {
      const calls = `${xml('get_weather', { city: 'Oslo', days: '3' }, prefix)}\n${xml('now', {}, prefix)}`;
      const result = parse(`Let me look.\n${wrap(calls, prefix)}\nDone.`);
      expect(brief(result)).toEqual([
        ['get_weather', { city: 'Oslo', days: 3 }],
        ['now', {}],
      ]);
      expect([result.text, result.problems]).toEqual(['Let me look.\n\nDone.', []]);
    },
  );

  it.each([
    '<invoke name="get_weather" id="1"><parameter name="city">Oslo</parameter></invoke>',
    '<invoke id="1" name="get_weather"><parameter name="city" type="string">Oslo</parameter></invoke>',
    '<invoke  name = "get_weather" ><parameter type="string" name="city">Oslo</parameter></invoke>',
    '<invoke name=get_weather><parameter name=city>Oslo</parameter></invoke>',
  ])('reads attributes as they are also written: %j', (text) => {
    const { calls } = parseToolCalls(text, { tools: TOOLS });
    expect(calls.map(({ name, arguments: args, complete }) => [name, args, complete])).toEqual([
      ['get_weather', { city: 'Oslo' }, true],
    ]);
  });

  it('reads the form of 2023', () => {
    const text = wrap(
      '<invoke>\n<tool_name>get_weather</tool_name>\n<parameters>\n<city>Oslo</city>\n<days>3</days>\n</parameters>\n</invoke>',
    );
    const result = parse(text);
    expect([brief(result), result.format, result.text]).toEqual([
      [['get_weather', { city: 'Oslo', days: 3 }]],
      'anthropic_xml_2023',
      '',
    ]);
  });

  it('reads a call without a wrapper, one that closes itself, and one with JSON inside', () => {
    expect(brief(parse(`call\n${xml('now', {})} bye`))).toEqual([['now', {}]]);
    expect(brief(parse('<invoke name="now"/><invoke name="now" />'))).toHaveLength(2);
    expect(brief(parse('<invoke name=\'get_weather\'>{"city": "Oslo",}</invoke>'))).toEqual([
      ['get_weather', { city: 'Oslo' }],
    ]);
  });

  it.each([
    ['indentation and line breaks', '\n  if (a) {\n\treturn 1;\n  }\n'],
    ['markup', '<div class="a">&amp; &lt; "b"</div>'],
    ['the closing tag of the call', 'before </invoke> after </function_calls> end'],
    ['its own closing tag inside a sentence', 'a </parameter> in prose'],
    ['what looks like JSON', '{"a": 1}'],
    ['what looks like a number', '007'],
    ['nothing', ''],
    ['other calls', '<tool_call>{"name":"now"}</tool_call>'],
  ])('keeps a string with %s to the byte', (_, content) => {
    const result = parse(wrap(xml('write_file', { content })));
    expect([brief(result), result.text]).toEqual([[['write_file', { content }]], '']);
  });

  it('gives values the type of the schema', () => {
    const types = {
      integer: ['3', 3],
      number: [' -1.5e3\n', -1500],
      boolean: ['True', true],
      object: ['{"a": [1]}', { a: [1] }],
      array: ['["x"]', ['x']],
      null: ['null', null],
    } as const;
    const properties = Object.fromEntries(Object.keys(types).map((type) => [type, { type }]));
    const tools = [{ name: 'f', parameters: { type: 'object', properties } }];
    const written = Object.fromEntries(Object.entries(types).map(([key, [text]]) => [key, text]));
    const expected = Object.fromEntries(Object.entries(types).map(([key, [, value]]) => [key, value]));
    expect(brief(parse(xml('f', written), tools))).toEqual([['f', expected]]);
    expect(brief(parse(xml('f', written), [{ name: 'f' }]))).toEqual([['f', written]]);
  });

  it('never calls a call complete before its end, wherever the text ends', () => {
    const whole = wrap(xml('get_weather', { city: 'Oslo', days: '35' }));
    const closed = whole.indexOf('</invoke>') + '</invoke>'.length;
    for (let end = 1; end < whole.length; end += 1) {
      for (const call of parse(whole.slice(0, end)).calls)
        expect([end, call.complete]).toEqual([end, end >= closed]);
    }
  });

  it('takes the end of the wrapper for the end of a call that is not closed', () => {
    const result = parse(
      '<function_calls><invoke name="get_weather"><parameter name="city">a</parameter></function_calls>!',
    );
    expect(result.calls).toMatchObject([{ arguments: { city: 'a' }, complete: true }]);
    expect([result.text, codes(result)]).toEqual(['!', ['call-unclosed']]);
  });

  it('ends the block where prose begins', () => {
    const result = parse(`<function_calls>${xml('now', {})} and then <b>more</b>`);
    expect([brief(result), result.text]).toEqual([[['now', {}]], ' and then <b>more</b>']);
  });
});
