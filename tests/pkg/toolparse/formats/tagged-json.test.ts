import { describe, expect, it } from '@jest/globals';
import { parseToolCalls } from '../../../../src/pkg/toolparse/index.js';
import { brief, TOOLS } from '../fixtures.js';

const parse = (text: string) => parseToolCalls(text, { tools: TOOLS });
const BOTH = [
  ['now', {}],
  ['get_weather', { city: 'Oslo' }],
] as const;

describe('tagged JSON', () => {
  it.each([
    [
      'hermes',
      '<tool_call>{"name":"now"}</tool_call>\n<tool_call>{"name":"get_weather","parameters":{"city":"Oslo"}}</tool_call>',
    ],
    [
      'hermes',
      '<tool_call>[{"name":"now","arguments":{}},{"name":"get_weather","arguments":{"city":"Oslo"}}]</tool_call>',
    ],
    [
      'mistral',
      '[TOOL_CALLS] [{"name":"now","arguments":{}},{"name":"get_weather","arguments":{"city":"Oslo"}}]',
    ],
    ['mistral', '[TOOL_CALLS]now{}[TOOL_CALLS]get_weather{"city":"Oslo"}'],
    ['mistral', '[TOOL_CALLS]now[ARGS]{}[TOOL_CALLS]get_weather[CALL_ID]a1[ARGS]{"city":"Oslo"}'],
    [
      'llama3_json',
      '<|python_tag|>{"name":"now","parameters":{}}; {"name":"get_weather","parameters":{"city":"Oslo"}}',
    ],
    [
      'llama3_json',
      '<|python_tag|>{"type":"function","function":"now"}<|python_tag|>{"name":"get_weather","arguments":{"city":"Oslo"}}',
    ],
    ['functionary_v31', '<function=now>{}</function><function=get_weather>{"city":"Oslo"}</function>'],
    ['bare_json', '{"name":"now"}; {"tool":"get_weather","tool_input":{"city":"Oslo"}}'],
    ['bare_json', '[{"name":"now","arguments":{}},{"name":"get_weather","arguments":{"city":"Oslo"}}]'],
    [
      'bare_json',
      '{"tool_calls":[{"type":"function","function":{"name":"now"}},{"function":{"name":"get_weather","arguments":{"city":"Oslo"}}}]}',
    ],
    ['fenced_json', '```json\n[{"name":"now"},{"action":"get_weather","action_input":{"city":"Oslo"}}]\n```'],
  ])('reads two calls of %s in %j', (format, text) => {
    const result = parse(text);
    expect(brief(result)).toEqual(BOTH);
    expect(new Set(result.calls.map((call) => call.format))).toEqual(new Set([format]));
    expect(result.text.trim()).toBe('');
  });

  it('reads formats side by side in one text', () => {
    const text = '<tool_call>{"name":"now"}</tool_call> or [TOOL_CALLS]get_weather[ARGS]{"city":"Oslo"} ok';
    const result = parse(text);
    expect([brief(result), result.text]).toEqual([BOTH, ' or  ok']);
  });

  it('keeps a fence that stands inside a string', () => {
    const content = '```js\nlet a;\n```';
    const call = JSON.stringify({ name: 'write_file', arguments: { content } });
    const result = parse(`\`\`\`json\n${call}\n\`\`\``);
    expect([brief(result), result.text]).toEqual([[['write_file', { content }]], '']);
  });

  it('finds the calls inside a fence that holds more than JSON', () => {
    const result = parse(
      '```\n{"name":"now","arguments":{}}\nthen\n{"name":"get_weather","arguments":{"city":"Oslo"}}\n```',
    );
    expect([brief(result), result.text]).toEqual([BOTH, '```\n\nthen\n\n```']);
  });

  it('reads text numbers and booleans as the schema has them, and says so', () => {
    const result = parse(
      '<tool_call>{"name":"get_weather","arguments":{"city":"7","days":"3","metric":"true"}}</tool_call>',
    );
    expect(brief(result)).toEqual([['get_weather', { city: '7', days: 3, metric: true }]]);
    expect(result.calls[0]?.repaired).toBe(true);
    expect(result.problems).toMatchObject([
      { code: 'arguments-coerced', message: expect.stringContaining('days, metric') },
    ]);
  });

  it('passes on arguments that are no object for a validator to refuse', () => {
    expect(brief(parse('<tool_call>{"name":"now","arguments":[1]}</tool_call>'))).toEqual([['now', [1]]]);
  });
});
