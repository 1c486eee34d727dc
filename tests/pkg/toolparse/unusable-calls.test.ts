import { describe, expect, it } from '@jest/globals';
import { parseToolCalls, type ToolSpec } from '../../../src/pkg/toolparse/index.js';
import { brief, codes, TOOLS } from './fixtures.js';

const hermes = (args: string, name = 'write_file') =>
  `<tool_call>{"name":"${name}","arguments":${args}}</tool_call>`;
const parse = (text: string, tools: readonly ToolSpec[] = TOOLS) => parseToolCalls(text, { tools });
const written = (content: string) => `<write_file><path>a</path><content>${content}</content></write_file>`;

const UNUSABLE: readonly (readonly [string, string])[] = [
  ['a prototype', hermes('{"__proto__":{"x":1}}')],
  ['a prototype in mended JSON', '<tool_call>{name:"write_file",arguments:{__proto__:{x:1}}}</tool_call>'],
  ['a prototype inside', hermes('{"meta":[{"a":{"__proto__":1}}]}')],
  ['a prototype by its maker', hermes('{"meta":{"constructor":{"prototype":{"x":1}}}}')],
  ['an undeclared constructor', hermes('{"constructor":{"x":1}}')],
  ['the same as the text of a tag', '<function=now><parameter=constructor>{"x":1}</parameter></function>'],
  ['the same in YAML', '<write_file>\npath: a\nconstructor:\n  x: 1\n</write_file>'],
  ['a list for an object', hermes('[1,2]')],
  ['nothing where something is required', hermes('null', 'get_weather')],
  ['a parameter that opens again', written('one <content> two')],
  ['text for an object', hermes('"as before"')],
  ['a number for an object', hermes('1e999')],
  ['a string of JSON that is not whole', hermes(JSON.stringify('{"path":"a","content":"""b""'))],
  ['JSON that was closed too early', hermes('{"path":"a"}},"content":"b"')],
];

describe('a call that no tool should get', () => {
  it.each(UNUSABLE)('is text, and the reason is said: %s', (_, text) => {
    const result = parse(`before ${text} after`);
    expect([result.calls, result.text, codes(result)]).toEqual([
      [],
      `before ${text} after`,
      ['arguments-unusable'],
    ]);
  });

  it.each(UNUSABLE)('is kept for a caller who answers every call, and must not run: %s', (_, text) => {
    const { calls } = parseToolCalls(text, { tools: TOOLS, unusableCalls: 'keep' });
    expect(calls).toMatchObject([{ complete: false }]);
  });

  it.each(UNUSABLE)('costs no neighbour: %s', (_, text) => {
    expect(brief(parse(`${text}\n${hermes('{}', 'now')}`))).toEqual([['now', {}]]);
  });

  it.each([
    ['such words in strings', hermes('{"path":"__proto__","content":"constructor: {}"}')],
    ['a constructor that wins races', hermes('{"meta":{"constructor":"Ferrari"}}')],
    ['a tag that closes again', written('one <content>two</content> three')],
    ['a tag that is quoted', written('<![CDATA[one <content> two]]>')],
    ['nothing where nothing is required', hermes('null', 'now')],
  ])('is not: %s', (_, text) => {
    expect(parse(text)).toMatchObject({ calls: [{ complete: true }], problems: [] });
  });

  it('is no call whose tool declares the key', () => {
    const tools = [{ name: 'f', parameters: { properties: { constructor: { type: 'object' } } } }];
    expect(parse(hermes('{"constructor":{"x":1}}', 'f'), tools).calls).toMatchObject([{ complete: true }]);
  });

  it('is found however deep it is nested', () => {
    const deep = `${'{"a":'.repeat(50_000)}{"__proto__":1}${'}'.repeat(50_000)}`;
    expect(parse(hermes(deep)).calls).toEqual([]);
  });
});
