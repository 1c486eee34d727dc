import { describe, expect, it } from '@jest/globals';
import { parseToolCalls } from '../../../src/pkg/toolparse/index.js';
import { brief, codes, TOOLS } from './fixtures.js';

const parse = (json: string) => parseToolCalls(`<tool_call>${json}</tool_call>`, { tools: TOOLS });

describe('arguments that are not where they belong', () => {
  it.each([
    '{"tool_name":"get_weather","tool_args":{"city":"Oslo"}}',
    '{"function":{"name":"get_weather"},"arguments":{"city":"Oslo"}}',
    '{"id":"1","type":"function","function":{"name":"get_weather"},"arguments":"{\\"city\\":\\"Oslo\\"}"}',
  ])('are found: %s', (json) => {
    const result = parse(json);
    expect(brief(result)).toEqual([['get_weather', { city: 'Oslo' }]]);
    expect(result.calls[0]?.complete).toBe(true);
  });

  it('are taken from beside the name when the schema names them, and a problem says so', () => {
    const result = parse('{"name":"get_weather","city":"Oslo","days":"3"}');
    expect([brief(result), codes(result)]).toEqual([
      [['get_weather', { city: 'Oslo', days: 3 }]],
      ['json-repaired', 'arguments-coerced'],
    ]);
    expect(result.calls[0]).toMatchObject({ repaired: true, complete: true });
  });

  it.each([
    ['a member that the schema does not name', '{"name":"get_weather","place":"Oslo"}', {}],
    [
      'a parameter beside the arguments',
      '{"name":"get_weather","arguments":{"city":"Oslo"},"days":2}',
      { city: 'Oslo' },
    ],
    ['a tool without a schema', '{"name":"now","zone":"CET"}', {}],
  ])('are never left out in silence: %s', (_, json, args) => {
    const result = parse(json);
    expect(codes(result)).toEqual(['arguments-unreadable']);
    expect(result.calls).toMatchObject([{ arguments: args, complete: false }]);
  });

  it('are not what says something of the call itself', () => {
    for (const json of [
      '{"name":"now","id":"a","type":"function","index":0}',
      '{"name":"now","arguments":{},"thought":"It is late."}',
    ])
      expect([codes(parse(json)), parse(json).calls[0]?.complete]).toEqual([[], true]);
  });
});
