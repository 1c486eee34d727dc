import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  createToolCallStream,
  listFormats,
  type ParseOptions,
  type ParseResult,
  parseToolCalls,
  type StreamEvent,
} from '../../../src/pkg/toolparse/index.js';
import { TOOLS } from './fixtures.js';

/** Reads a text in the given pieces. */
function stream(
  chunks: readonly string[],
  options: ParseOptions,
): { events: StreamEvent[]; result: ParseResult } {
  const calls = createToolCallStream(options);
  const events = chunks.flatMap((chunk) => calls.push(chunk));
  return { events, result: calls.end() };
}

/** Cuts by UTF-16 unit, so that pairs of surrogates are cut, too. */
function cut(text: string, sizes: readonly number[]): string[] {
  const chunks: string[] = [];
  for (let at = 0, turn = 0; at < text.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    chunks.push(text.slice(at, at + size));
    at += size;
  }
  return chunks;
}

const NS = ['ant', 'ml:'].join('');
/** Whole calls, broken ones, and the marks they are made of. */
const PIECES = [
  ...listFormats().flatMap(({ example }) => (example === undefined ? [] : [example])),
  `<${NS}function_calls><${NS}invoke name="write_file"><${NS}parameter name="content">a\n b😀</${NS}parameter></${NS}invoke></${NS}function_calls>`,
  '<tool_call>{"name":"write_file","arguments":{"content":"</tool_call> \\"😀\\" \\\\"}}</tool_call>',
  '<tool_call>{"name":"now","arguments":{"a":"say "hi" now"}}</tool_call>',
  "<tool_call>{'name': 'now', 'arguments': {'a': None,}}",
  '<tool_call>{"name":"get_weather","argu',
  '{"name":"now"}; {"name":"now"}',
  '{"choices":[{"message":{"content":"<tool_call>{\\"name\\":\\"now\\"}</tool_call>"}}]}',
  'data: {"choices":[]}\n\n',
  '<think>`<tool_call>{"name":"now"}</tool_call>`</think>',
  '[THINK]x[/THINK]',
  ...'<tool_call>|</tool_call>|[TOOL_CALLS]|[ARGS]|<|python_tag|>|<function=now>|</function>|<function_calls>'.split(
    '|',
  ),
  ...'</function_calls>|<invoke name="now">|</invoke>|<parameter name="a">|</parameter>|<invoke>|<x:'.split(
    '|',
  ),
  ...'```json\n|```|\n```|{|}|[|]|"|\'|\\|,|;|:|`|\n\n|\n| |😀|\ud83d|text|{"name":"now","arguments":{|...|<|</'.split(
    '|',
  ),
];

const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }).map((pieces) => pieces.join(''));
const options: fc.Arbitrary<ParseOptions> = fc.record({
  tools: fc.constantFrom(undefined, TOOLS),
  reasoning: fc.constantFrom('ignore', 'use', 'prefilled'),
  unknownTools: fc.constantFrom('keep', 'drop'),
});

describe('createToolCallStream', () => {
  it('ends like the parse of the whole, however the text is cut', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(text, options, sizes, (whole, chosen, cuts) => {
        const expected = parseToolCalls(whole, chosen);
        for (const chunks of [cut(whole, [1]), cut(whole, cuts), [whole]]) {
          const { result, events } = stream(chunks, chosen);
          expect(result).toEqual(expected);
          const told = events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
          expect(expected.text.startsWith(told)).toBe(true);
        }
      }),
      { numRuns: 1500 },
    );
  });

  it('accounts for every character: text and blocks add up to the whole', () => {
    fc.assert(
      fc.property(text, (whole) => {
        const { calls, text: rest, format } = parseToolCalls(whole, { tools: TOOLS });
        const isBody = listFormats().some(({ id, kind }) => kind === 'wire' && id === format);
        fc.pre(!isBody);
        const blocks = new Map(calls.map(({ start, end }) => [start, end]));
        const covered = [...blocks].reduce((sum, [start, end]) => sum + end - start, 0);
        expect(rest.length + covered).toBe(whole.length);
      }),
      { numRuns: 500 },
    );
  });

  it('tells text and blocks as they come, and never a mark as text', () => {
    const whole = 'Hi <tool_call>{"name":"now","arguments":{}}</tool_call> bye, then.';
    for (const size of [1, 5, 16]) {
      const { events, result } = stream(cut(whole, [size]), {});
      expect(events.filter(({ type }) => type === 'block-start')).toEqual([
        { type: 'block-start', format: 'hermes', start: 3 },
      ]);
      expect(events.filter(({ type }) => type === 'block-end')).toEqual([
        { type: 'block-end', calls: result.calls },
      ]);
      const told = events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : []));
      expect(told.join('')).toBe('Hi  bye, then.');
    }
  });

  it('streams the raw text of a long argument as it arrives', () => {
    const calls = createToolCallStream();
    calls.push('<tool_call>{"name":"write_file","arguments":{"content":"');
    expect(calls.push('first ')).toEqual([{ type: 'block-delta', text: 'first ' }]);
    expect(calls.push('second')).toEqual([{ type: 'block-delta', text: 'second' }]);
    expect(calls.push('"}}</tool_call>').at(-1)).toMatchObject({
      type: 'block-end',
      calls: [{ name: 'write_file' }],
    });
  });

  it('gives a block that holds no call back as text', () => {
    const { events, result } = stream(['<tool_call>{"x":', '1}</tool_call> ok.'], {});
    expect(events.map(({ type }) => type)).toEqual(['block-start', 'block-delta', 'block-end', 'text-delta']);
    expect(result.text).toBe('<tool_call>{"x":1}</tool_call> ok.');
  });

  it('holds plain text back no longer than a mark could need', () => {
    const calls = createToolCallStream();
    expect(calls.push('plain words <')).toEqual([{ type: 'text-delta', text: 'plain words ' }]);
    expect(calls.push('b>')).toEqual([{ type: 'text-delta', text: '<b>' }]);
  });

  it('gives the same result when it is ended twice, and refuses more text', () => {
    const calls = createToolCallStream();
    calls.push('x');
    expect(calls.end()).toBe(calls.end());
    expect(() => calls.push('y')).toThrow('The stream has ended');
  });
});
