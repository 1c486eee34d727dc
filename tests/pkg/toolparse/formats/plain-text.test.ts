import { describe, expect, it } from '@jest/globals';
import { parseToolCalls } from '../../../../src/pkg/toolparse/index.js';
import { brief, TOOLS } from '../fixtures.js';

const parse = (text: string) => parseToolCalls(text, { tools: TOOLS });
const WEATHER = [['get_weather', { city: 'Oslo' }]];

describe('react', () => {
  it.each([
    'Thought: look\nAction: get_weather\nAction Input: {"city": "Oslo"}',
    'Action: get_weather\nAction Input: {"city": "Oslo"}\nObservation: 12C\nFinal Answer: 12C',
    "Action: get_weather\nAction Input: {'city': 'Oslo',}",
    '**Action:** get_weather\n**Action Input:** {"city": "Oslo"}',
    'Action: `get_weather`\nAction Input:\n{"city": "Oslo"}',
    '```json\n{"action": "get_weather", "action_input": {"city": "Oslo"}}\n```',
  ])('reads %j', (text) => {
    expect(brief(parse(text))).toEqual(WEATHER);
  });

  it('reads plain input for a parameter that holds words', () => {
    const tools = [
      { name: 'search', parameters: { properties: { query: { type: 'string' } }, required: ['query'] } },
    ];
    const text = 'Action: search\nAction Input: the "best" words\nObservation: none';
    const result = parseToolCalls(text, { tools });
    expect(brief(result)).toEqual([['search', { query: 'the "best" words' }]]);
    expect(result.text).toBe('\nObservation: none');
  });

  it('reads declared tools only', () => {
    for (const text of ['Action: other\nAction Input: {"a": 1}', 'Action: Final Answer\nAction Input: done'])
      expect([brief(parse(text)), parse(text).text]).toEqual([[], text]);
  });
});

describe('fences', () => {
  it('reads YAML calls, and leaves other YAML', () => {
    expect(brief(parse('```yaml\nname: get_weather\narguments:\n  city: Oslo\n```'))).toEqual(WEATHER);
    const other = '```yaml\nname: get_weather\nversion: 2\n```\n';
    expect([brief(parse(other)), parse(other).text]).toEqual([[], other]);
  });

  it('reads the array of Command R+', () => {
    const text = 'Action:\n```json\n[{"tool_name": "get_weather", "parameters": {"city": "Oslo"}}]\n```';
    const result = parse(text);
    expect([brief(result), result.format, result.text]).toEqual([WEATHER, 'cohere_r_plus', '']);
  });
});

describe('a format that the caller names', () => {
  it('is read for any tool when none are declared', () => {
    const named = (format: string, text: string) => brief(parseToolCalls(text, { format }));
    expect(named('bare_json', '{"name":"f","arguments":{}}')).toEqual([['f', {}]]);
    expect(named('pythonic', '[f(a=1)]')).toEqual([['f', { a: 1 }]]);
    expect(named('llama3_json', '{"name":"f","parameters":{}}')).toEqual([['f', {}]]);
    expect(parseToolCalls('{"name":"f","arguments":{}}', { format: 'bare_json', tools: [] }).calls).toEqual(
      [],
    );
  });

  it('is read with those that its models fall back to', () => {
    const text = '<tool_call>{"name":"now","arguments":{}}</tool_call>';
    expect(brief(parseToolCalls(text, { format: 'qwen3_coder' }))).toEqual([['now', {}]]);
  });
});
