import { describe, expect, it } from '@jest/globals';
import { createToolCallStream, parseToolCalls } from '../../../src/pkg/toolparse/index.js';
import { brief, codes, TOOLS } from './fixtures.js';

const CALL = '<tool_call>{"name":"now","arguments":{}}</tool_call>';

/** Text that speaks of calls without making one. */
const PROSE = [
  'Use the <tool_call> tag, then </tool_call>.',
  'Write <tool_call> followed by JSON {like this}.',
  `Quoted code such as \`${CALL}\` is no call.`,
  'Quoted JSON such as `{"name":"now","arguments":{}}` is no call either.',
  `Quoted code such as \`foo ${CALL}\` is no call.`,
  `Nor is \`\`foo \`bar\` ${CALL}\`\`, nor \`\`${CALL}\`\`.`,
  'Nor `json {"name":"now","arguments":{}}`, nor `- [now()]`.',
  'Nor `<tool_call>\n{"name":"now","arguments":{}}\n</tool_call>` over several lines.',
  '<tool_call>{"name": "tool_name", "arguments": {...}}</tool_call>',
  '<tool_call>{"name": tool_name, "arguments": {}}</tool_call>',
  'The marker [TOOL_CALLS] starts calls, and [TOOL_CALLS] and [ARGS] are tokens.',
  'Tags: <function_calls>, <invoke name="x"> and <parameter name="y">.',
  '<function_calls> wraps <invoke name="f"> which needs parameters',
  'Generic <function=name> syntax; <|python_tag|> too.',
  '{"name": "now", "version": "1.0.0", "scripts": {}}',
  '```json\n{"name": "now", "version": "1.0.0"}\n```',
  '{"name":"now","description":"The time","parameters":{"type":"object","properties":{}}}',
  '{"name":"get_weather","parameters":{"type":"object","properties":{"city":{"type":"string"}}}}',
  '{"data": [{"name":"now","arguments":{}}]}',
  'if (x) { name: now } else { return {"name": 1} }',
  '[{"name":"now","arguments":{}}, {"id": 1, "title": "no call"}]',
  '```python\ncalls = [{"city": "Oslo"}]\n```',
  'See [now()](https://docs.example/now) for details.',
  '* [now()](#now)\n* [get_weather(city="Oslo")](#weather)',
  'As in reference [now()].',
  '[now()]: https://docs.example/now',
  'See [now()][1] or [now()][docs].',
  '[now()] is the way to go.',
  'Use this: [now()] to see the time.',
  'The list (see [now()]) says so.',
  'The config is {"name": "now"} here.',
  '{"thought": "What is it called?", "name": "now"}',
  '{"thought": "A manifest", "name": "now", "version": "1.0.0", "arguments": {}}',
  '{"name": "now"}\nThis is the config.',
  '[{"name": "get_weather"}, {"name": "now"}]',
  '```json\n{"name": "get_weather"}\n```',
];

describe('no false calls', () => {
  it.each(PROSE)('leaves %j as it is', (text) => {
    const result = parseToolCalls(text, { tools: TOOLS });
    expect([brief(result), result.text]).toEqual([[], text]);
  });

  it('finds the real call behind each of them', () => {
    for (const text of PROSE) {
      const result = parseToolCalls(`${text}\n\n${CALL}`, { tools: TOOLS });
      expect([text, brief(result), result.text]).toEqual([text, [['now', {}]], `${text}\n\n`]);
    }
  });

  it('leaves them as they are in pieces of any size', () => {
    for (const text of PROSE)
      for (const size of [1, 3, 16]) {
        const stream = createToolCallStream({ tools: TOOLS });
        for (let at = 0; at < text.length; at += size) stream.push(text.slice(at, at + size));
        expect([text, stream.end().calls]).toEqual([text, []]);
      }
  });

  it('reads bare and fenced JSON for declared tools only', () => {
    const bare = 'So: {"name":"now","arguments":{}} ok';
    const fenced = 'So:\n```json\n{"name":"now","arguments":{}}\n```\nok';
    for (const text of [bare, fenced]) {
      expect(brief(parseToolCalls(text, { tools: TOOLS }))).toEqual([['now', {}]]);
      for (const tools of [undefined, [], [{ name: 'other' }]]) {
        const result = parseToolCalls(text, { tools });
        expect([brief(result), result.text]).toEqual([[], text]);
      }
    }
    expect(parseToolCalls(bare, { tools: TOOLS }).text).toBe('So:  ok');
    expect(parseToolCalls(fenced, { tools: TOOLS }).text).toBe('So:\n\nok');
  });

  it.each([
    ['behind code that has ended', `Use \`a\` or \`\`b \` c\`\`: ${CALL}`],
    ['right behind it', `\`a\`${CALL}`],
    ['behind an apostrophe', `It\`s here: ${CALL}`],
    ['below a backtick that stands alone', `Use \`a and\n${CALL}`],
    ['behind reasoning with one', `<think>a \`b</think>${CALL}`],
    ['behind a call with one', `<tool_call>{"name":"f","arguments":{"a":"\`"}}</tool_call>${CALL}`],
  ])('reads a call %s', (_, text) => {
    expect(brief(parseToolCalls(text)).at(-1)).toEqual(['now', {}]);
  });

  it('reads a list of Python calls that stands apart, or that a colon or a sentence introduces', () => {
    const list = '[get_weather(city="Oslo")]';
    for (const text of [
      list,
      `I look it up: ${list}`,
      `Sure! ${list}</s>`,
      `${list} Here it comes.`,
      `Now:\n${list}\nThat is all.`,
    ])
      expect([text, brief(parseToolCalls(text, { tools: TOOLS }))]).toEqual([
        text,
        [['get_weather', { city: 'Oslo' }]],
      ]);
    expect(brief(parseToolCalls(`${list}[now()]`, { tools: TOOLS }))).toHaveLength(2);
  });

  it('reads JSON without arguments only as the whole response, for a tool that requires none', () => {
    const bare = '{"name": "now"}';
    for (const text of [bare, `\n${bare}\n`, `<think>Late?</think>\n${bare}`, `\`\`\`json\n${bare}\n\`\`\``])
      expect([text, brief(parseToolCalls(text, { tools: TOOLS }))]).toEqual([text, [['now', {}]]]);
    expect(brief(parseToolCalls(bare, { tools: TOOLS, format: 'bare_json' }))).toEqual([['now', {}]]);
    expect(parseToolCalls('{"name": "get_weather"}', { tools: TOOLS }).calls).toEqual([]);
  });

  it('takes a tagged call inside a code block for an example unless its tool is declared', () => {
    const block = (name: string) =>
      `\`\`\`xml\n<tool_call>{"name":"${name}","arguments":{}}</tool_call>\n\`\`\`\n`;
    expect(brief(parseToolCalls(block('example') + CALL, { tools: TOOLS }))).toEqual([['now', {}]]);
    expect(brief(parseToolCalls(block('now'), { tools: TOOLS }))).toEqual([['now', {}]]);
    expect(brief(parseToolCalls(block('now')))).toEqual([]);
  });
});

describe('reasoning', () => {
  const draft = `<think>maybe ${CALL}?</think>`;

  it('ignores calls in it by default and keeps its text', () => {
    const result = parseToolCalls(`${draft}\nSo. ${CALL}`, { tools: TOOLS });
    expect([brief(result), result.text]).toEqual([[['now', {}]], `${draft}\nSo. `]);
  });

  it('uses them when asked to', () => {
    expect(brief(parseToolCalls(`${draft}${CALL}`, { reasoning: 'use' }))).toHaveLength(2);
  });

  it('begins inside it when the prompt has opened it', () => {
    const text = `maybe ${CALL}?</think>${CALL}`;
    expect(parseToolCalls(text, { reasoning: 'prefilled' }).text).toBe(`maybe ${CALL}?</think>`);
    const unasked = parseToolCalls(text);
    expect([unasked.calls.length, codes(unasked)]).toEqual([2, ['reasoning-unopened']]);
  });

  it('covers all that follows when it is never closed, and says so', () => {
    const result = parseToolCalls(`<think>${CALL}`);
    expect([brief(result), codes(result)]).toEqual([[], ['reasoning-unclosed']]);
  });

  it('starts on a line of its own or behind a block, not in the middle of a sentence', () => {
    expect(brief(parseToolCalls(`Models write <think> first. ${CALL}`))).toEqual([['now', {}]]);
    expect(brief(parseToolCalls(`${CALL} <think>${CALL}</think>`))).toEqual([['now', {}]]);
  });

  it.each([
    ['<think>', '</think>'],
    ['<THINK>', '</THINK>'],
  ])('that %s opens inside a line and %s closes holds drafts, and nothing else does', (open, close) => {
    const result = parseToolCalls(`${CALL} Sure. ${open}hm ${CALL}${close} ok ${CALL}`);
    expect(result.calls.map(({ complete }) => complete)).toEqual([true, false, true]);
    expect(codes(result)).toEqual(['reasoning-unopened']);
  });

  it.each(['<THINK>a CALL</THINK>', 'b ◁think▷a CALL◁/think▷'])('is known in %s', (text) => {
    expect(brief(parseToolCalls(text.replace('CALL', CALL)))).toEqual([]);
  });
});

describe('a word between the tags of a call', () => {
  it.each([
    'Wrap it in <tool_call> now </tool_call> please.',
    'Put it between <tool_call> and </tool_call>.',
    'Say <tool_call>now </tool_call> or <tool_call> now</tool_call>.',
    '<tool_call> then {"a": "b"} and then </tool_call>',
  ])('is no call in %j', (text) => {
    expect(parseToolCalls(text, { tools: TOOLS })).toMatchObject({ calls: [], text });
  });

  it('is a call when a tool is named so, and nothing but line breaks stands around it', () => {
    for (const text of ['<tool_call>now</tool_call>', '<tool_call>\nnow\n</tool_call>'])
      expect(brief(parseToolCalls(text, { tools: TOOLS }))).toEqual([['now', {}]]);
    const unknown = parseToolCalls('<tool_call>later</tool_call>', { tools: TOOLS });
    expect([brief(unknown), codes(unknown)]).toEqual([[], ['call-unreadable']]);
  });
});

describe('a call that is written again', () => {
  const bare = '{"name":"now","arguments":{}}';
  const parse = (text: string) => parseToolCalls(text, { tools: TOOLS });

  it('right behind its marks and without them counts once', () => {
    const result = parse(`${CALL}\n${bare}`);
    expect([brief(result), result.text, codes(result)]).toEqual([
      [['now', {}]],
      `\n${bare}`,
      ['call-echoed'],
    ]);
    const code = '<|tool_call_start|>[get_weather(city="Oslo")]<|tool_call_end|>[get_weather(city="Oslo")]';
    expect(brief(parse(code))).toEqual([['get_weather', { city: 'Oslo' }]]);
    expect(parse(`${CALL}\n${bare}\n${CALL}`).calls.map(({ id }) => id)).toEqual(['call_1', 'call_2']);
  });

  it('counts again with marks, with words between, or with other arguments', () => {
    for (const text of [`${CALL}${CALL}`, `${CALL} and ${bare}`, `${CALL}{"name":"now","arguments":{"a":1}}`])
      expect(parse(text).calls.length).toBe(2);
  });
});
