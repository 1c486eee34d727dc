import { describe, expect, it } from '@jest/globals';
import { parseToolCalls } from '../../../../src/pkg/toolparse/index.js';
import { brief, codes, TOOLS } from '../fixtures.js';

const parse = (text: string) => parseToolCalls(text, { tools: TOOLS });
const WEATHER = [['get_weather', { city: 'Oslo' }]];

describe('kimi_k2', () => {
  const call = (id: string, args: string) =>
    `<|tool_call_begin|>${id}<|tool_call_argument_begin|>${args}<|tool_call_end|>`;
  const section = (calls: string) => `<|tool_calls_section_begin|>${calls}<|tool_calls_section_end|>`;

  it('keeps the id, and reads the name out of it', () => {
    const result = parse(
      `ok ${section(call('functions.get_weather:0 ', '{"city": "Oslo"}') + call('now:1', '{}'))}!`,
    );
    expect(result.calls.map(({ id, name }) => [id, name])).toEqual([
      ['functions.get_weather:0', 'get_weather'],
      ['now:1', 'now'],
    ]);
    expect([result.text, result.problems]).toEqual(['ok !', []]);
  });

  it('reads names with dots and dashes, and calls without a section', () => {
    expect(brief(parseToolCalls(call('functions.a-b.c:12', '{}')))).toEqual([['a-b.c', {}]]);
    const single = call('functions.now:0', '{}');
    expect(brief(parse(`<|tool_call_section_begin|>${single}<|tool_call_section_end|>`))).toEqual([
      ['now', {}],
    ]);
  });
});

describe('deepseek', () => {
  const v3 = (text: string) => text.replaceAll('begin', 'begin').replaceAll('|', '｜');

  it.each([
    [
      'fenced',
      '<｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{"city": "Oslo"}\n```<｜tool▁call▁end｜>',
    ],
    [
      'without a fence',
      '<｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n{"city": "Oslo"}<｜tool▁call▁end｜>',
    ],
    ['as since V3.1', '<｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Oslo"}<｜tool▁call▁end｜>'],
    ['in ASCII', '<|tool_call_begin|>get_weather<|tool_sep|>{"city": "Oslo"}<|tool_call_end|>'],
    ['in mixed letters', v3('<|tool_call_begin|>get_weather<|tool_sep|>{"city": "Oslo"}<|tool_call_end|>')],
  ])('reads a call %s, in and out of its section', (_, call) => {
    const begin = call.includes('▁') ? '<｜tool▁calls▁begin｜>' : '<|tool_calls_begin|>';
    const end = begin.replace('begin', 'end');
    for (const text of [call, `${begin}${call}${end}`, `${begin}${call}\n${call}${end}`]) {
      const result = parse(`a${text}b`);
      expect([new Set(brief(result).map(([name]) => name)), result.text]).toEqual([
        new Set(['get_weather']),
        'ab',
      ]);
      expect(brief(result)[0]).toEqual(WEATHER[0]);
    }
  });
});

describe('gpt_oss_harmony', () => {
  it.each([
    '<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city":"Oslo"}<|call|>',
    '<|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city":"Oslo"}<|call|>',
    '<|start|>assistant to=functions.get_weather<|channel|>commentary json<|message|>{"city":"Oslo"}',
    '<|channel|>commentary to=functions.get_weather<|channel|>commentary <|constrain|>json<|message|>{"city":"Oslo"}<|end|>',
    'to=functions.get_weather<|channel|>analysis<|message|>{"city":"Oslo"}<|call|>',
  ])('reads %j', (text) => {
    const result = parse(text);
    expect([brief(result), result.text]).toEqual([WEATHER, '']);
  });

  it('leaves preambles, other recipients and the analysis alone', () => {
    const draft = '<|channel|>analysis<|message|>maybe <tool_call>{"name":"now"}</tool_call><|end|>';
    const call = '<|start|>assistant<|channel|>commentary to=functions.now<|message|>{}<|call|>';
    const preamble = '<|start|>assistant<|channel|>commentary<|message|>I will look.<|end|>';
    const result = parse(draft + preamble + call);
    expect([brief(result), result.text]).toEqual([[['now', {}]], draft + preamble]);
    const python = '<|start|>assistant<|channel|>commentary to=python <|constrain|>code<|message|>print(1)';
    expect(brief(parse(python))).toEqual([]);
  });
});

describe('functionary_v32', () => {
  it('reads the first call without the mark that the prompt has written', () => {
    const text = 'get_weather\n{"city": "Oslo"}\n>>>now\n{}';
    expect(brief(parse(text))).toEqual([...WEATHER, ['now', {}]]);
  });

  it('reads declared tools only', () => {
    for (const text of ['all\nHello!', '>>>all\n{"a": 1}', 'other\n{"a": 1}', 'see now\n{"a": 1}'])
      expect([brief(parse(text)), parse(text).text]).toEqual([[], text]);
  });
});

describe('tokens before JSON', () => {
  it('reads an object whose only key is the name', () => {
    const text = '<|tools_prefix|>[{"get_weather": {"city": "Oslo"}}, {"now": {}}]<|tools_suffix|>';
    expect(brief(parse(text))).toEqual([...WEATHER, ['now', {}]]);
  });

  it('leaves no token of the end of the message in the text', () => {
    const text = 'a<|message_sep|>\n\nfunction call<|role_sep|>\n{"name": "now", "arguments": {}}</s>';
    expect([brief(parse(text)), parse(text).text]).toEqual([[['now', {}]], 'a']);
  });

  it('finds the call behind a broken one', () => {
    const text =
      '<|content_invoke_tool_json|>garbage<|content_invoke_tool_json|>{"name":"now","args":{"a":1}}<|end_message|>';
    const result = parse(text);
    expect([brief(result), codes(result)]).toEqual([[['now', { a: 1 }]], []]);
  });
});

describe('calls that go on without their mark', () => {
  it.each([
    ['behind another call', '[TOOL_CALLS]get_weather[ARGS]{"city": "Oslo"}now[ARGS]{}', 2],
    ['where the prompt has written it', 'get_weather[ARGS]{"city": "Oslo"}', 1],
    ['with other line breaks', 'get_weather\r\n{"city": "Oslo"}', 1],
  ])('are read: %s', (_, text, count) => {
    const result = parse(text);
    expect(brief(result)).toEqual([...WEATHER, ['now', {}]].slice(0, count));
    expect(result.text).toBe('');
  });
});
