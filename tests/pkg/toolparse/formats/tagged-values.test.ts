import { describe, expect, it } from '@jest/globals';
import { parseToolCalls, type ToolSpec } from '../../../../src/pkg/toolparse/index.js';
import { brief, codes, TOOLS } from '../fixtures.js';

const parse = (text: string, tools: readonly ToolSpec[] = TOOLS) => parseToolCalls(text, { tools });
const qwen = (name: string, parameters: Readonly<Record<string, string>>) =>
  [
    `<tool_call>\n<function=${name}>`,
    ...Object.entries(parameters).map(([key, value]) => `<parameter=${key}>\n${value}\n</parameter>`),
    '</function>\n</tool_call>',
  ].join('\n');

describe('qwen3_coder', () => {
  it.each([
    ['indentation and the last line break', '    def f():\n        return 1\n'],
    ['markup', '<div class="a">&amp; "b"</div>'],
    ['a closing tag inside a sentence', 'the tag </parameter> ends it'],
    ['the end of a call, spoken of', 'then </function> and </tool_call> follow'],
    ['an opening tag in the middle of a line', 'write <tool_call> and <function=x> first'],
    ['a section with tags', '<b>'],
  ])('keeps a string with %s to the byte', (_, content) => {
    const result = parse(qwen('write_file', { content }));
    expect([brief(result), result.text, result.problems]).toEqual([[['write_file', { content }]], '', []]);
  });

  it.each([
    '<function="get_weather"><parameter=city>Oslo</parameter></function>',
    '<function=get_weather>\r\n<parameter=city>Oslo</parameter>\r\n</function>',
    '<function=get_weather\r\n<parameter=city>Oslo</parameter></function>',
    '<function=get_weather><parameter name="city">Oslo</parameter></function>',
    '<function=get_weather><parameter name=city>Oslo</parameter></function>',
    '<function=get_weather><param name="city">Oslo</param></function>',
    '<function name="get_weather"><parameter=city>Oslo</parameter></function>',
  ])('reads what is also written: %j', (text) => {
    const result = parse(`<tool_call>${text}</tool_call>`);
    expect([brief(result), result.calls[0]?.complete]).toEqual([[['get_weather', { city: 'Oslo' }]], true]);
  });

  it('takes off one line break on each side, and none where the tags stand close', () => {
    const close = '<tool_call><function=write_file><parameter=content>a\n</parameter></function></tool_call>';
    expect(brief(parse(close))).toEqual([['write_file', { content: 'a\n' }]]);
  });

  it.each([
    ['a parameter', '<parameter=city>\nOslo\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>'],
    ['a parameter on one line', '<parameter=city>Oslo<parameter=days>3</parameter></function></tool_call>'],
    ['the last parameter', '<parameter=city>Oslo</parameter><parameter=days>3</function></tool_call>'],
    ['the function', '<parameter=city>Oslo</parameter><parameter=days>3</parameter></tool_call>'],
    ['the wrapper', '<parameter=city>Oslo</parameter><parameter=days>3</parameter></function>'],
  ])('reads a call that does not close %s', (_, rest) => {
    const result = parse(`a <tool_call>\n<function=get_weather>\n${rest}`);
    expect([brief(result), result.text]).toEqual([[['get_weather', { city: 'Oslo', days: 3 }]], 'a ']);
    expect([codes(result), result.calls[0]?.complete]).toEqual([['call-unclosed'], true]);
  });

  it.each([
    ['a comma', ', ', '<parameter=path>b</parameter>', { content: 'a', path: 'b' }],
    ['words', '\nand then\n', '<parameter=path>b</parameter>', { content: 'a', path: 'b' }],
    ['words at the end', ' that is all ', '', { content: 'a' }],
  ])('leaves %s between parameters out of their values, and says so', (_, stray, more, args) => {
    const text = `<tool_call><function=write_file><parameter=content>a</parameter>${stray}${more}</function></tool_call>`;
    const result = parse(text);
    expect([brief(result), result.text, codes(result)]).toEqual([
      [['write_file', args]],
      '',
      ['json-repaired'],
    ]);
  });

  it('keeps all of a long value that speaks of its closing tag and lacks it', () => {
    const content = `about </parameter> tags\n${'more text\n'.repeat(20)}`;
    const text = `<function=write_file><parameter=content>${content}</function>`;
    expect(brief(parse(text))).toEqual([['write_file', { content }]]);
  });

  it('spares the call behind one that is not closed', () => {
    const text = `<tool_call><function=get_weather><parameter=city>a</function></tool_call>${qwen('now', { x: '1' })}`;
    expect(brief(parse(text))).toEqual([
      ['get_weather', { city: 'a' }],
      ['now', { x: '1' }],
    ]);
  });

  it('reads several functions in one wrapper, none in a wrapper, and variants of the tags', () => {
    const two = '<function=now></function><function=get_weather><parameter=city>a</parameter></function>';
    for (const text of [`<tool_call>${two}</tool_call>`, two])
      expect(brief(parse(text)).map(([name]) => name)).toEqual(['now', 'get_weather']);
    for (const text of [
      '<tool_call><function=now/></tool_call>',
      '<tool_call><function=now\n</function></tool_call>',
      '<tool_call><call=now></call></tool_call>',
    ])
      expect(brief(parse(text))).toEqual([['now', {}]]);
    const nameless =
      '<tool_call>\n<function=get_weather>\n<parameter>city</parameter>\nOslo\n</function>\n</tool_call>';
    expect(brief(parse(nameless))).toEqual([['get_weather', { city: 'Oslo' }]]);
  });

  it('reads JSON where parameters belong, and JSON calls in its wrapper', () => {
    expect(brief(parse('<tool_call><function=get_weather>{"city":"a"}</function></tool_call>'))).toEqual([
      ['get_weather', { city: 'a' }],
    ]);
    const unwrapped = parse(qwen('get_weather', { arguments: "{'city': 'a', 'days': 2}" }));
    expect(brief(unwrapped)).toEqual([['get_weather', { city: 'a', days: 2 }]]);
    expect(codes(unwrapped)).toContain('arguments-stringified');
  });

  it('makes a list of a repeated parameter where the schema wants one, and calls it incomplete elsewhere', () => {
    const tools = [
      { name: 'f', parameters: { properties: { l: { type: 'array', items: { type: 'integer' } } } } },
    ];
    const text =
      '<tool_call><function=f><parameter=l>1</parameter><parameter=l>2</parameter></function></tool_call>';
    expect(parse(text, tools).calls).toMatchObject([{ arguments: { l: [1, 2] }, complete: true }]);
    expect(parse(text, [{ name: 'f' }]).calls).toMatchObject([
      { arguments: { l: ['1', '2'] }, complete: false },
    ]);
  });

  it('gives values the type of the schema, through anyOf, lists of types and references', () => {
    const properties = {
      a: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      b: { type: ['array', 'null'] },
      c: { $ref: '#/$defs/c' },
      d: { type: 'string', nullable: true },
      e: { oneOf: [{ type: 'string' }, { type: 'object' }] },
    };
    const tools = [{ name: 'f', parameters: { properties, $defs: { c: { type: 'boolean' } } } }];
    const text = qwen('f', { a: '5', b: '["x"]', c: 'True', d: 'null', e: '{"k": 1}' });
    expect(brief(parse(text, tools))).toEqual([['f', { a: 5, b: ['x'], c: true, d: null, e: { k: 1 } }]]);
  });
});

describe('pairs of keys and values', () => {
  const glm =
    '<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>  Oslo </arg_value>\n<arg_key>days</arg_key><arg_value>3</arg_value>\n</tool_call>';

  it('reads them with blanks kept in strings, and calls without any', () => {
    expect(brief(parse(glm))).toEqual([['get_weather', { city: '  Oslo ', days: 3 }]]);
    expect(brief(parse('<tool_call>now</tool_call> <tool_call>now\n</tool_call>'))).toHaveLength(2);
    expect(brief(parse('<tool_calls><tool_call>now<tool_sep></tool_call></tool_calls>'))).toEqual([
      ['now', {}],
    ]);
  });

  it('skips a key without a value', () => {
    const text =
      '<tool_call>get_weather<arg_key>city</arg_key><arg_key>days</arg_key><arg_value>3</arg_value></tool_call>';
    expect(brief(parse(text))).toEqual([['get_weather', { days: 3 }]]);
    expect(brief(parse('<tool_call>now<arg_key>a</arg_key></tool_call>'))).toEqual([['now', {}]]);
  });

  it('takes no prose for a name', () => {
    for (const text of [
      'Use <tool_call> tags, please.',
      '<tool_call>name it</tool_call>',
      '<tool_call></tool_call>',
    ])
      expect([brief(parse(text)), parse(text).text]).toEqual([[], text]);
  });
});

describe('tags that say the type', () => {
  const dsml = (type: string, value: string) =>
    `<｜DSML｜invoke name="f">\n<｜DSML｜parameter name="x" string="${type}">${value}</｜DSML｜parameter>\n</｜DSML｜invoke>`;
  const k3 = (type: string, value: string) =>
    `<|open|>call tool="f" index="1"<|sep|><|open|>argument key="x" type="${type}"<|sep|>${value}<|close|>argument<|sep|><|close|>call<|sep|>`;

  it('are believed where the schema says nothing', () => {
    expect(brief(parse(dsml('true', '3')))).toEqual([['f', { x: '3' }]]);
    expect(brief(parse(dsml('false', '[1]')))).toEqual([['f', { x: [1] }]]);
    expect(brief(parse(dsml('false', 'no JSON')))).toEqual([['f', { x: 'no JSON' }]]);
    expect(brief(parse(k3('number', '3')))).toEqual([['f', { x: 3 }]]);
    expect(brief(parse(k3('string', '3')))).toEqual([['f', { x: '3' }]]);
  });

  it('yield to the schema', () => {
    const tools = [{ name: 'f', parameters: { properties: { x: { type: 'object' } } } }];
    expect(brief(parse(dsml('true', '{"a":1}'), tools))).toEqual([['f', { x: { a: 1 } }]]);
  });
});

describe('strings between marks', () => {
  it('may hold anything, the closing mark too', () => {
    const text =
      '<|tool_call>call:f{a:<|"|>x <tool_call|> "y"<|"|>,n:-3,o:{k:[<|"|>b<|"|>,true,null]}}<tool_call|>!';
    const result = parse(text);
    expect([brief(result), result.text]).toEqual([
      [['f', { a: 'x <tool_call|> "y"', n: -3, o: { k: ['b', true, null] } }]],
      '!',
    ]);
    expect(result.calls[0]).toMatchObject({ repaired: false, complete: true });
  });

  it('are incomplete when the text ends in one', () => {
    const result = parse('<|tool_call>call:f{a:<|"|>x y');
    expect(result.calls).toMatchObject([{ arguments: { a: 'x y' }, complete: false }]);
  });
});

describe('nested tags', () => {
  const m3 = (body: string) =>
    ['<tool_call>', '<invoke name="f">', ...body.split('|'), '</invoke>', '</tool_call>']
      .map((tag) => `]<]minimax[>[${tag}`)
      .join('');

  it('are objects and lists, as the schema says', () => {
    const properties = {
      o: { type: 'object', properties: { n: { type: 'integer' } } },
      l: { type: 'array', items: { type: 'string' } },
      s: { type: 'string' },
    };
    const text = m3('<o>|<n>1|</n>|</o>|<l>|<item>a|</item>|<item>b|</item>|</l>|<s><i>x</i>|</s>');
    expect(brief(parse(text, [{ name: 'f', parameters: { properties } }]))).toEqual([
      ['f', { o: { n: 1 }, l: ['a', 'b'], s: '<i>x</i>' }],
    ]);
  });
});

describe('a parameter whose tags are not quite right', () => {
  it.each([
    ['a key in the closing tag', '<function=get_weather><parameter=city>Oslo</parameter=city></function>'],
    ['a blank behind the key', '<function=get_weather><parameter=city >Oslo</parameter></function>'],
    [
      'a closing tag without its prefix',
      '<x:invoke name="get_weather"><x:parameter name="city">Oslo</parameter></x:invoke>',
    ],
    ['a type', '<invoke name="get_weather"><parameter name="city" type="string">Oslo</parameter></invoke>'],
    [
      'a type in a short tag',
      '<function name="get_weather"><param name="city" type="string">Oslo</param></function>',
    ],
  ])('is read with %s', (_, text) => {
    expect([brief(parse(text)), parse(text).calls[0]?.complete]).toEqual([
      [['get_weather', { city: 'Oslo' }]],
      true,
    ]);
  });
});
