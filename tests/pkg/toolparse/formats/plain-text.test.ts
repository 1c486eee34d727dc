import { describe, expect, it } from '@jest/globals';
import { createToolCallStream, parseToolCalls } from '../../../../src/pkg/toolparse/index.js';
import { brief, codes, TOOLS } from '../fixtures.js';

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
    'Action: get_weather\nAction Input:\n```json\n{"city": "Oslo"}\n```',
    'Action: get_weather\nAction Input: ```\n{"city": "Oslo"}\n```\nObservation: 12C',
    'Action: get_weather({"city": "Oslo"})',
    'Thought 1: look\nAction 1: get_weather\nAction Input 1: {"city": "Oslo"}\nObservation 1: 12C',
    '**Action 2:** get_weather\n**Action Input 2:** {"city": "Oslo"}',
    'Action: get_weather\nAction Input: Oslo',
    'Action: get_weather\r\nAction Input: Oslo\r\nObservation: 12C',
    'Action: get_weather\nAction Input:\nOslo\n\nI will wait.',
    '{"action": "get_weather", "action_input": "Oslo"}',
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

  const bash = [
    {
      name: 'bash',
      parameters: {
        properties: { command: { type: 'string' }, timeout: { type: 'integer' } },
        required: ['command'],
      },
    },
    { name: 'clock', parameters: { properties: { zone: { type: 'string' } } } },
    ...TOOLS,
  ];

  it('gives plain input to the only required parameter as it is written, and says so', () => {
    const result = parseToolCalls('Action: bash\nAction Input: cat <a> &amp; ls', { tools: bash });
    expect([brief(result), codes(result)]).toEqual([
      [['bash', { command: 'cat <a> &amp; ls' }]],
      ['json-repaired'],
    ]);
  });

  it('takes several lines for one input only where a label shows its end', () => {
    const text = 'Action: bash\nAction Input: cat <<E\nhi\nE';
    const call = { arguments: { command: 'cat <<E\nhi\nE' } };
    const ended = parseToolCalls(`${text}\nObservation: hi`, { tools: bash });
    expect(ended.calls).toMatchObject([{ ...call, complete: true }]);
    for (const open of [text, `${text}\n\nDone.`]) {
      const result = parseToolCalls(open, { tools: bash });
      expect([open, codes(result)]).toEqual([open, ['arguments-unreadable']]);
      expect(result.calls).toMatchObject([{ ...call, complete: false }]);
    }
  });

  it('does not run plain input that no parameter is for', () => {
    for (const text of [
      'Action: write_file\nAction Input: a.txt',
      '{"action":"write_file","action_input":"a.txt"}',
      'Action: bash\nAction Input: None',
    ]) {
      const result = parseToolCalls(text, { tools: bash });
      expect([text, codes(result)]).toEqual([text, ['arguments-unreadable']]);
      expect(result.calls[0]?.complete).toBe(false);
    }
    const fence = 'Action: bash\nAction Input:\n```sh\nls\n```';
    expect([brief(parseToolCalls(fence, { tools: bash })), parse(fence).text]).toEqual([[], fence]);
  });

  it('reads no input as no arguments, for a tool that requires none', () => {
    const inputs = ['', '\nObservation: noon', ' None', ' null\n', ' {}'];
    for (const input of inputs)
      expect([input, brief(parse(`Action: now\nAction Input:${input}`))]).toEqual([input, [['now', {}]]]);
    expect(parse('Action: get_weather\nAction Input:').calls).toEqual([]);
    const torn = parseToolCalls('Action: clock\nAction Input:', { tools: bash });
    expect([torn.calls[0]?.complete, codes(torn)]).toEqual([false, ['call-truncated']]);
  });

  it('reads the same in pieces of any size', () => {
    const texts = [
      'Action 1: get_weather\nAction Input 1:\n```json\n{"city": "Oslo"}\n```\nObservation: x',
      'Action: get_weather({"city": "Oslo"}) then',
      'Action: bash\r\nAction Input: ls\r\n-la\r\nFinal Answer: x',
      'Action: now\nAction Input:\n\nrest',
    ];
    for (const text of texts)
      for (const size of [1, 2, 5, 13]) {
        const stream = createToolCallStream({ tools: bash });
        for (let at = 0; at < text.length; at += size) stream.push(text.slice(at, at + size));
        expect(stream.end()).toEqual(parseToolCalls(text, { tools: bash }));
      }
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

describe('bare JSON', () => {
  it.each([
    '{"tool_uses":[{"recipient_name":"functions.get_weather","parameters":{"city":"Oslo"}}]}',
    '{"thought":"Let me look.","name":"get_weather","arguments":{"city":"Oslo"}}',
  ])('reads %s', (text) => {
    expect(brief(parse(text))).toEqual(WEATHER);
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
