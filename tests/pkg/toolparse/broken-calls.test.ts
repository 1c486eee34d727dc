import { describe, expect, it } from '@jest/globals';
import { parseToolCalls } from '../../../src/pkg/toolparse/index.js';
import { brief, codes, TOOLS } from './fixtures.js';

const parse = (text: string) => parseToolCalls(text, { tools: TOOLS });
const block = (json: string) => `<tool_call>${json}</tool_call>`;

describe('repair', () => {
  it.each([
    ['trailing comma', '{"name":"get_weather","arguments":{"city":"Oslo",},}'],
    ['single quotes', "{'name':'get_weather','arguments':{'city':'Oslo'}}"],
    ['unquoted key', '{name:"get_weather",arguments:{city:"Oslo"}}'],
    ['missing closing brackets', '{"name":"get_weather","arguments":{"city":"Oslo"'],
    ['comment', '{"name":"get_weather", // the tool\n"arguments":{"city":"Oslo"}}'],
    ['foreign quotes', '{\u201cname\u201d:\u201cget_weather\u201d,"arguments":{"city":"Oslo"}}'],
    ['missing comma', '{"name":"get_weather" "arguments":{"city":"Oslo"}}'],
    [
      'foreign quotes',
      '{\u201cname\u201d: \u201cget_weather\u201d, \u201carguments\u201d: {\u201ccity\u201d: \u201cOslo\u201d}}',
    ],
    [
      'foreign quotes',
      '{\u2018name\u2019: \u2018get_weather\u2019, \u2018arguments\u2019: {\u2018city\u2019: \u2018Oslo\u2019}}',
    ],
    [
      'foreign quotes',
      '{\u201dname\u201d: \u201dget_weather\u201d, \u201darguments\u201d: {\u201dcity\u201d: \u201dOslo\u201d}}',
    ],
    ['doubled braces', '{{"name":"get_weather","arguments":{{"city":"Oslo"}}}}'],
    ['doubled braces', '{{"name":"get_weather","arguments":{"city":"Oslo"}}}'],
    ['escaped quotes', String.raw`{"name":"get_weather","arguments":{\"city\": \"Oslo\"}}`],
    ['escaped quotes', String.raw`{\"name\":\"get_weather\",\"arguments\":{\"city\": \"Oslo\"}}`],
    ['blank that JSON does not know', '{"name":"get_weather",\u00a0"arguments":{"city":"Oslo"}}'],
  ])('mends a %s and says so', (fix, json) => {
    const result = parse(`a${block(json)}b`);
    expect([brief(result), result.text]).toEqual([[['get_weather', { city: 'Oslo' }]], 'ab']);
    expect(result.calls[0]).toMatchObject({ repaired: true, complete: true });
    expect(result.problems).toMatchObject([{ code: 'json-repaired', start: 1, end: result.calls[0]?.end }]);
    expect(result.problems[0]?.message).toContain(fix);
  });

  it.each([
    ['raw line breaks', '"a\nb\tc"', 'a\nb\tc'],
    ['inner quotes', '"say "hi", then go"', 'say "hi", then go'],
    ['invalid escapes', '"\\d+\\.\\w"', '\\d+\\.\\w'],
    ['the folders of a path', String.raw`"C:\Users\me\notes.txt"`, String.raw`C:\Users\me\notes.txt`],
    ['needless escapes', '"it\\\'s"', "it's"],
  ])('keeps %s in a string', (_, written, content) => {
    const result = parse(block(`{"name":"write_file","arguments":{"content":${written},"path":"/a"}}`));
    expect(brief(result)).toEqual([['write_file', { content, path: '/a' }]]);
    expect(result.calls[0]?.repaired).toBe(true);
  });

  it('reads Python literals', () => {
    const result = parse(block("{'name': 'now', 'arguments': {'a': True, 'b': None, 'c': [False, 1.5]}}"));
    expect(brief(result)).toEqual([['now', { a: true, b: null, c: [false, 1.5] }]]);
  });

  it('unwraps arguments that are JSON inside a string', () => {
    const result = parse(block(JSON.stringify({ name: 'now', arguments: JSON.stringify({ a: 1 }) })));
    expect([brief(result), codes(result)]).toEqual([[['now', { a: 1 }]], ['arguments-stringified']]);
  });

  it('ignores surplus brackets before the closing mark, and only there', () => {
    expect(parse(block('{"name":"now","arguments":{}}}\n')).text).toBe('');
    expect(parse('<tool_call>{"name":"now"}} and so on').text).toBe('} and so on');
  });

  it.each(['}', '}}', ']', ']}', '\n} ]\n'])('says that it left out the surplus brackets %j', (surplus) => {
    const args = '{"city":"Oslo"}';
    const call = `{"name":"get_weather","arguments":${args}}`;
    const texts = [
      block(call + surplus),
      `<function=get_weather>${args}${surplus}</function>`,
      `<tool_calls>[${call}]${surplus}</tool_calls>`,
      `\`\`\`json\n${call}${surplus}\n\`\`\``,
      block(JSON.stringify({ name: 'get_weather', arguments: args + surplus })),
    ];
    for (const text of texts) {
      const result = parse(text);
      expect([text, brief(result)]).toEqual([text, [['get_weather', { city: 'Oslo' }]]]);
      expect(result.calls[0]).toMatchObject({ repaired: true, complete: true });
      expect(result.problems[0]?.message).toContain('surplus closing brackets');
    }
  });

  it.each([
    ['.5', 0.5],
    ['+2', 2],
    ['1.', 1],
    ['01', 1],
    ['-.5', -0.5],
  ])('says that it read the number %s', (written, a) => {
    const result = parse(block(`{"name":"now","arguments":{"a":${written},"b":-1.5e+3}}`));
    expect([brief(result), codes(result)]).toEqual([[['now', { a, b: -1500 }]], ['json-repaired']]);
    expect(result.problems[0]?.message).toContain('number that JSON does not know');
  });

  it('takes no name that holds a piece of JSON', () => {
    const text = block('{"name": "now", {"city": "Oslo"}}');
    expect(parse(text).calls.map(({ name }) => name)).toEqual(['now']);
    expect(parseToolCalls(text).calls).toEqual([]);
  });

  it('leaves sound JSON alone', () => {
    const json =
      '{"name":"write_file","arguments":{"content":"</tool_call> \\"x\\" {,} <tool_call>","path":"/a"}}';
    const result = parse(block(json));
    expect([brief(result), result.calls[0]?.repaired, codes(result)]).toEqual([
      [['write_file', { content: '</tool_call> "x" {,} <tool_call>', path: '/a' }]],
      false,
      [],
    ]);
  });

  it('hands on arguments that no mending can save as the text they are, for a declared tool', () => {
    const json = '{"name":"get_weather","arguments":{"city": : }}';
    const result = parse(block(json));
    expect([brief(result), codes(result)]).toEqual([[['get_weather', json]], ['arguments-unreadable']]);
    expect(parseToolCalls(block(json)).calls).toEqual([]);
  });

  it('says that a block holds no call and leaves it in the text', () => {
    const result = parse(`a ${block('{"city":"Oslo"}')} b`);
    expect([result.text, codes(result)]).toEqual([`a ${block('{"city":"Oslo"}')} b`, ['call-unreadable']]);
  });
});

describe('typographic quotes', () => {
  const city = '{\u201ccity\u201d: \u201cOslo\u201d, \u201cdays\u201d: 3}';
  const call = `{\u201cname\u201d: \u201cget_weather\u201d, \u201carguments\u201d: ${city}}`;

  it.each([
    ['bare', call],
    ['in a sentence', `So: ${call} it is.`],
    ['fenced', `\`\`\`json\n${call}\n\`\`\``],
    ['behind a name', `[TOOL_CALLS]get_weather[ARGS]${city}`],
    ['in a list', `<tool_calls>[${call}]</tool_calls>`],
  ])('are read wherever JSON is: %s', (_, text) => {
    const result = parse(text);
    expect(brief(result)).toEqual([['get_weather', { city: 'Oslo', days: 3 }]]);
    expect(result.calls[0]).toMatchObject({ repaired: true, complete: true });
  });

  it('are text inside a sound string', () => {
    const content = 'He said \u201chi\u201d, and \u201cbye\u201d: it\u2019s done';
    const result = parse(block(JSON.stringify({ name: 'write_file', arguments: { content } })));
    expect([brief(result), codes(result)]).toEqual([[['write_file', { content }]], []]);
  });

  it('end lists too', () => {
    const result = parse(
      block(
        '{\u201cname\u201d: \u201cnow\u201d, \u201carguments\u201d: {\u201ca\u201d: [\u201cx\u201d, \u201cit\u2019s\u201d]}}',
      ),
    );
    expect(brief(result)).toEqual([['now', { a: ['x', 'it\u2019s'] }]]);
  });
});

describe('a list of calls that breaks', () => {
  const call = (city: string) => `{"name":"get_weather","arguments":{"city":"${city}"}}`;

  it.each([
    ['at another list', `[${call('a')}[${call('b')}]`, ['a', 'b']],
    ['at a word', `[${call('a')}, ${call('b')}, and so on`, ['a', 'b']],
    ['in its last call', `[${call('a')}, {"name":"get_weather" !}]`, ['a']],
  ])('costs none of the calls before: %s', (_, text, cities) => {
    const result = parse(text);
    expect(brief(result)).toEqual(cities.map((city) => ['get_weather', { city }]));
    expect(result.calls[0]).toMatchObject({ complete: true, repaired: true });
  });
});

describe('missing and misplaced marks', () => {
  it('ends a call that is not closed at its own end', () => {
    const result = parse(
      '<tool_call>{"name":"now"}\n<tool_call>{"name":"get_weather","arguments":{"city":"a"}}',
    );
    expect(brief(result)).toEqual([
      ['now', {}],
      ['get_weather', { city: 'a' }],
    ]);
    expect(codes(result)).toEqual(['call-unclosed', 'call-unclosed']);
    expect(result.calls.every(({ complete }) => complete)).toBe(true);
  });

  it('finds the next call behind a string that lost its quote', () => {
    const broken = block('{"name":"get_weather","arguments":{"city":"Oslo}}');
    const result = parse(`${broken} and ${block('{"name":"now","arguments":{"a":"b"}}')}`);
    expect(brief(result).at(-1)).toEqual(['now', { a: 'b' }]);
    expect(result.text).toBe(' and ');
  });

  it('reads several calls in one block', () => {
    expect(brief(parse(block('\n{"name":"now"}\n{"name":"now"}, {"name":"now"}\n')))).toHaveLength(3);
  });
});

describe('truncation', () => {
  const whole = '<tool_call>{"name":"get_weather","arguments":{"city":"Oslo","days":3}}</tool_call>';

  it('never calls a call complete that is not, wherever the text ends', () => {
    for (let end = 1; end < whole.length; end += 1) {
      const { calls } = parse(whole.slice(0, end));
      const isWhole = end >= whole.indexOf('</tool_call>');
      for (const call of calls)
        expect([end, call.name, call.complete]).toEqual([end, 'get_weather', isWhole]);
      if (isWhole) expect(calls).toHaveLength(1);
    }
  });

  it('keeps what was there of the arguments', () => {
    const result = parse(whole.slice(0, whole.indexOf('slo')));
    expect(result.calls).toMatchObject([{ name: 'get_weather', arguments: { city: 'O' }, complete: false }]);
    expect(codes(result)).toContain('call-truncated');
  });

  it('takes no name that was cut off', () => {
    const text = '<tool_call>{"name":"get_wea';
    expect(parse(text)).toMatchObject({ calls: [], text });
  });

  it('spares the calls before the one that was cut off', () => {
    const { calls } = parse(
      '[TOOL_CALLS][{"name":"now","arguments":{}},{"name":"get_weather","arguments":{"ci',
    );
    expect(calls.map(({ name, complete }) => [name, complete])).toEqual([
      ['now', true],
      ['get_weather', false],
    ]);
  });

  it('leaves no torn closing mark in the text', () => {
    expect(parse('<tool_call>{"name":"now"}</tool_c').text).toBe('');
  });
});
