import { describe, expect, it } from '@jest/globals';
import { createToolCallStream, parseToolCalls } from '../../../src/pkg/toolparse/index.js';

/** Far above what linear time takes (well under a second), far below what quadratic time would (minutes). */
const LIMIT_MS = 10_000;
const tools = [{ name: 'f' }];

function stream(text: string, size: number): { calls: number; elapsedMs: number } {
  const started = performance.now();
  const calls = createToolCallStream({ tools });
  for (let at = 0; at < text.length; at += size) calls.push(text.slice(at, at + size));
  return { calls: calls.end().calls.length, elapsedMs: performance.now() - started };
}

const LINE = 'a line with "quotes", \\ and <tags>\n';

describe('linear time', () => {
  it.each([
    ['a 1 MB argument in chunks of 16', 1_000_000, 16],
    ['a 512 KB argument in single characters', 512_000, 1],
  ])('streams %s', (_, length, size) => {
    const content = LINE.repeat(length / LINE.length);
    const json = `<tool_call>${JSON.stringify({ name: 'f', arguments: { content } })}</tool_call>`;
    const xml = `<invoke name="f"><parameter name="content">${content}</parameter></invoke>`;
    const code = `<|tool_call_start|>[f(content=${JSON.stringify(content)})]<|tool_call_end|>`;
    const quoted = `<|tool_call>call:f{content:<|"|>${content}<|"|>}<tool_call|>`;
    const element = `<f><content>${content}</content></f>`;
    for (const text of [json, xml, code, quoted, element]) {
      const { calls, elapsedMs } = stream(text, size);
      expect(calls).toBe(1);
      expect(elapsedMs).toBeLessThan(LIMIT_MS);
    }
  });

  const many = (piece: string, length = 60_000) => piece.repeat(length / piece.length);
  it.each([
    ['openings', many('<tool_call>{')],
    ['openings with quotes', many('<tool_call>{"')],
    ['openings without an end', many('<tool_call>{"name":"g","arguments":{}}')],
    ['braces', many('{')],
    ['nested keys', many('{"a":')],
    ['nested bare keys', many('{a:')],
    ['nested keys and a mistake', `${many('{"a":')}!`],
    ['fences', many('```json\n{')],
    ['tags', many('<invoke name="f">')],
    ['open parameters', many('<function_calls><invoke name="f"><parameter name="a">')],
    ['marks', many('[TOOL_CALLS]')],
    ['angle brackets', many('<')],
    ['backticks', many('`')],
    ['prefixes', many('<aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa:')],
    ['blanks behind a mark', `<tool_call>${many(' ')}{`],
    [
      'closing marks in a string',
      `<tool_call>{"name":"f","arguments":{"a":"${many('</tool_call>')}"}}</tool_call>`,
    ],
    [
      'closing tags in a value',
      `<invoke name="f"><parameter name="a">${many('</parameter>')}x</parameter></invoke>`,
    ],
    ['backslashes', `<tool_call>{"a":"${many('\\')}"}</tool_call>`],
    ['surplus brackets', `<tool_call>{"name":"f"}${many('}')}</tool_call>`],
    ['quotes to mend', `<tool_call>{"name":"f","arguments":{"a":"${many('x" y ')}"}}</tool_call>`],
    ['comments', many('<tool_call>{/*')],
    ['calls and semicolons', many('{"name":"f"};')],
    ['code that only opens', many('[f(')],
    ['code with an open string', many('[f(a="')],
    ['marked code that only opens', many('<|tool_call_start|>[f(')],
    ['values that are closed too early', many('<function=f><parameter=a></parameter>x')],
    ['values that are not closed', many('<tool_call><function=f><parameter=a>')],
    ['closing marks of calls in a value', `<function=f><parameter=a>${many('</function>')}`],
    ['blanks in a value', `<function=f><parameter=a>${many(' ')}`],
    ['sections that only open', many('<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{"a')],
    ['strings between marks', many('<|tool_call>call:f{a:<|"|>')],
    ['elements', many('<f><a>')],
    [
      'elements with many names',
      `<f>${Array.from({ length: 9000 }, (_, index) => `<a${index}>`).join('')}</f>`,
    ],
    ['YAML lists', `<f>\na:\n${many('  - b: c\n')}</f>`],
    ['YAML keys without a colon', `<f>\na: b\n${many('x ')}\n</f>`],
    ['Action lines', many('Action: f\nAction Input: {')],
    ['messages', many('<|start|>assistant<|channel|>commentary to=functions.f')],
  ])('stays linear on %s', (_, text) => {
    const started = performance.now();
    parseToolCalls(text, { tools });
    expect(performance.now() - started).toBeLessThan(LIMIT_MS);
    expect(stream(text, 16).elapsedMs).toBeLessThan(LIMIT_MS);
  });
});
