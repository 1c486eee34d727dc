import { describe, expect, it } from '@jest/globals';
import { parseToolCalls, type ToolSpec } from '../../../../src/pkg/toolparse/index.js';
import { brief, codes, TOOLS } from '../fixtures.js';

const parse = (text: string, tools: readonly ToolSpec[] = TOOLS) => parseToolCalls(text, { tools });
const tool = (properties: ToolSpec['parameters'], rest: ToolSpec['parameters'] = {}): readonly ToolSpec[] => [
  { name: 'f', parameters: { type: 'object', properties: properties ?? {}, ...rest } },
];

describe('tags named after tools', () => {
  it('reads parameters, attributes and empty calls', () => {
    expect(brief(parse('a <get_weather><city>Oslo</city><days>3</days></get_weather> b'))).toEqual([
      ['get_weather', { city: 'Oslo', days: 3 }],
    ]);
    expect(brief(parse('<get_weather city="Oslo" days=\'3\'/>'))).toEqual([
      ['get_weather', { city: 'Oslo', days: 3 }],
    ]);
    for (const text of ['<now/>', '<now />', '<now></now>', '<now>\n</ now >', '< now/>'])
      expect([brief(parse(text)), parse(text).text]).toEqual([[['now', {}]], '']);
  });

  it('leaves every other tag alone', () => {
    const prose = ['a < now > b', 'Use the <now> tool.', 'Tags: <now> and </now>.', '<now>'];
    for (const text of ['<b>now</b>', '<nowhere/>', '<now', '</now>', ...prose])
      expect([brief(parse(text)), parse(text).text]).toEqual([[], text]);
    expect(brief(parseToolCalls('<now/>'))).toEqual([]);
  });

  it('takes no tag of a page for a call', () => {
    const tools = [{ name: 'code' }, { name: 'time' }, { name: 'a' }, { name: 'search' }];
    for (const text of ['<code>ls</code>', '<time/>', '\n<a href="x">y</a>', '<search></search>'])
      expect([brief(parse(text, tools)), parse(text, tools).text]).toEqual([[], text]);
    expect(brief(parse('<search><query>x</query></search>', tools))).toEqual([['search', { query: 'x' }]]);
  });

  it('keeps markup in strings, and reads entities once', () => {
    const content = '<html><body><path>x</path> &amp;amp; &lt;i&gt;</body></html>';
    const result = parse(`<write_file><path>/a</path><content>${content}</content></write_file>`);
    expect(brief(result)).toEqual([
      ['write_file', { path: '/a', content: '<html><body><path>x</path> &amp; <i></body></html>' }],
    ]);
    const section = parse('<write_file><content><![CDATA[a &amp; </b>]]></content></write_file>');
    expect(brief(section)).toEqual([['write_file', { content: 'a &amp; </b>' }]]);
  });

  it.each([
    ['items', '<l><item>1</item><item>2</item></l>'],
    ['numbers', '<l><0>1</0><1>2</1></l>'],
    ['a repeated tag', '<l>1</l><l>2</l>'],
    ['other names', '<l><n>1</n><n>2</n></l>'],
    ['JSON', '<l>[1, 2]</l>'],
    ['commas', '<l>1, 2</l>'],
    ['lines', '<l>1\n2</l>'],
  ])('reads a list as %s', (_, body) => {
    const tools = tool({ l: { type: 'array', items: { type: 'number' } } });
    expect(brief(parse(`<f>${body}</f>`, tools))).toEqual([['f', { l: [1, 2] }]]);
  });

  it('reads nested objects, and guesses scalars where no schema says', () => {
    const tools = tool({
      o: { type: 'object', properties: { n: { type: 'integer' }, s: { type: 'string' } } },
    });
    expect(brief(parse('<f><o><n>1</n><s>01</s></o></f>', tools))).toEqual([['f', { o: { n: 1, s: '01' } }]]);
    expect(brief(parse('<now><a>5</a><b>true</b><c>007</c><d>x</d></now>'))).toEqual([
      ['now', { a: 5, b: true, c: '007', d: 'x' }],
    ]);
  });

  it('reads a tag that does not close, and one on lines of its own', () => {
    expect(brief(parse('<get_weather><city>Oslo</get_weather>'))).toEqual([
      ['get_weather', { city: 'Oslo' }],
    ]);
    expect(brief(parse('<get_weather\n  <city>Oslo</city>\n/>'))).toEqual([
      ['get_weather', { city: 'Oslo' }],
    ]);
    const lines = 'get_weather\n<city>Oslo</city>\nnow\n<a>1</a>\nDone.';
    expect([brief(parse(lines)), parse(lines).text.trim()]).toEqual([
      [
        ['get_weather', { city: 'Oslo' }],
        ['now', { a: 1 }],
      ],
      'Done.',
    ]);
  });

  it('takes text for the only parameter that holds words, and never for a command', () => {
    expect(brief(parse('<f>Hello, you.</f>', tool({ message: { type: 'string' } })))).toEqual([
      ['f', { message: 'Hello, you.' }],
    ]);
    const command = tool({ command: { type: 'string' } }, { required: ['command'] });
    expect(parse('<f>I will look.</f>', command).calls).toMatchObject([{ arguments: {}, complete: false }]);
  });

  it('does not run a call with a parameter twice, or one that is cut off', () => {
    const twice = parse('<write_file><path>a</path><path>b</path></write_file>');
    expect([twice.calls, codes(twice)]).toEqual([[], ['arguments-unusable']]);
    expect(parse('<write_file><path>a</path><content>b').calls).toMatchObject([
      { arguments: { path: 'a', content: 'b' }, complete: false },
    ]);
  });
});

describe('YAML in tags', () => {
  it('reads mappings, lists and texts of lines', () => {
    const text =
      '<write_file>\npath: a.py\ncontent: |\n  def f():\n    return 1\nmeta:\n  l:\n    - 1\n    - x: y\n</write_file>';
    const result = parse(text);
    expect(brief(result)).toEqual([
      ['write_file', { path: 'a.py', content: 'def f():\n  return 1\n', meta: { l: [1, { x: 'y' }] } }],
    ]);
    expect(result.format).toBe('yaml_xml');
  });

  it('gives values the type of the schema', () => {
    expect(brief(parse('<get_weather>\ncity: 007\ndays: "3"\n</get_weather>'))).toEqual([
      ['get_weather', { city: '007', days: 3 }],
    ]);
  });

  it('is no call when it is no mapping', () => {
    for (const text of ['<get_weather>\n- a\n- b\n</get_weather>', '<get_weather>\n[a: b:\n</get_weather>'])
      expect([brief(parse(text)), parse(text).text]).toEqual([[], text]);
  });
});

describe('a tool that is named like a tag of HTML', () => {
  const parameters = {
    type: 'object',
    properties: { query: { type: 'string' }, limit: { type: 'integer' } },
    required: ['query'],
  };
  const tools = [
    { name: 'search', parameters },
    { name: 'time', parameters: { type: 'object', properties: {} } },
    { name: 'data', parameters: { type: 'object' } },
  ];
  const search = ['search', { query: 'x' }];

  it.each([
    ['YAML', '<search>\nquery: x\n</search>', search],
    ['JSON', '<search>{"query": "x"}</search>', search],
    ['tags', '<search>\n<query>x</query>\n</search>', search],
    ['attributes', 'Here: <search query="x"/>', search],
    ['nothing', '<time/>', ['time', {}]],
    ['nothing between two tags', 'Well:\n<time></time>', ['time', {}]],
    ['tags, and no schema', '<data><a>1</a></data>', ['data', { a: 1 }]],
  ])('is called with %s that it takes', (_, text, call) => {
    expect(brief(parseToolCalls(text, { tools }))).toEqual([call]);
  });

  it('is called in the form that the prompt teaches, when the format is named', () => {
    const text = '<search>\nquery: x\nlimit: 3\n</search>';
    expect(brief(parseToolCalls(text, { tools, format: 'yaml_xml' }))).toEqual([
      ['search', { query: 'x', limit: 3 }],
    ]);
  });

  it.each([
    'Put it in <search><form></form></search> then.',
    '```html\n<search>\n<input name="query">\n</search>\n```',
    '<search class="a"><query>x</query></search>',
    '<search id="s"/>',
    '<search></search>',
    'at <time>12:00</time>, or <time/> at all',
    '<time datetime="2020-01-01"></time>',
    '<data value="1"></data>',
    '<data>1</data>',
  ])('is not called by the page %j', (text) => {
    expect(parseToolCalls(text, { tools })).toMatchObject({ calls: [], text, problems: [] });
  });
});
