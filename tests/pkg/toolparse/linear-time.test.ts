import { describe, expect, it } from '@jest/globals';
import { createToolCallStream, listFormats, parseToolCalls } from '../../../src/pkg/toolparse/index.js';
import { growthOf } from './work-meter.js';

/** Linear work grows fourfold with the text, quadratic work sixteenfold. */
const LINEAR = 6;
const tools = [{ name: 'f' }];

function stream(text: string, size: number): number {
  const calls = createToolCallStream({ tools });
  for (let at = 0; at < text.length; at += size) calls.push(text.slice(at, at + size));
  return calls.end().calls.length;
}

const LINE = 'a line with "quotes", \\ and <tags>\n';
const CALLS: Readonly<Record<string, (content: string) => string>> = {
  JSON: (content) => `<tool_call>${JSON.stringify({ name: 'f', arguments: { content } })}</tool_call>`,
  tags: (content) => `<invoke name="f"><parameter name="content">${content}</parameter></invoke>`,
  code: (content) => `<|tool_call_start|>[f(content=${JSON.stringify(content)})]<|tool_call_end|>`,
  quotes: (content) => `<|tool_call>call:f{content:<|"|>${content}<|"|>}<tool_call|>`,
  elements: (content) => `<f><content>${content}</content></f>`,
};

describe('linear time', () => {
  it('is told from quadratic time', () => {
    const again = (times: number) => {
      for (let length = 0; length < 100 * times; length += 1) 'x'.repeat(length).indexOf('y');
    };
    expect(growthOf(again)).toBeGreaterThan(12);
    expect(growthOf((times) => 'x'.repeat(100 * times).indexOf('y'))).toBeLessThan(LINEAR);
  });

  it.each(Object.keys(CALLS).flatMap((kind) => [1, 16].map((size) => [kind, size] as const)))(
    'streams a long argument in %s, %d characters at a time',
    (kind, size) => {
      const read = (times: number) => stream(CALLS[kind]?.(LINE.repeat(100 * times)) ?? '', size);
      expect(read(1)).toBe(1);
      expect(growthOf(read)).toBeLessThan(LINEAR);
    },
  );

  it.each(['plain prose, as most of a reply is. ', 'a < b, and `c` to [d]. '])('streams %j', (prose) => {
    expect(growthOf((times) => stream(prose.repeat(150 * times), 16))).toBeLessThan(LINEAR);
  });

  const many = (piece: string, times: number) => piece.repeat((2000 * times) / piece.length);
  const inValue = (content: string) => `<invoke name="f"><parameter name="a">${content}</parameter></invoke>`;
  it.each([
    ['openings', (times) => many('<tool_call>{', times)],
    ['openings with quotes', (times) => many('<tool_call>{"', times)],
    ['openings without an end', (times) => many('<tool_call>{"name":"g","arguments":{}}', times)],
    ['braces', (times) => many('{', times)],
    ['nested keys', (times) => many('{"a":', times)],
    ['nested bare keys', (times) => many('{a:', times)],
    ['nested keys and a mistake', (times) => `${many('{"a":', times)}!`],
    ['lists that break', (times) => many('[{"name":"f"} !', times)],
    ['nested lists that break', (times) => `${many('[{"name":"f"},', times)}!`],
    ['values that go on', (times) => many('<tool_call>{"name":"f"},"', times)],
    ['fences', (times) => many('```json\n{', times)],
    ['tags', (times) => many('<invoke name="f">', times)],
    ['open parameters', (times) => many('<function_calls><invoke name="f"><parameter name="a">', times)],
    ['marks', (times) => many('[TOOL_CALLS]', times)],
    ['angle brackets', (times) => many('<', times)],
    ['backticks', (times) => many('`', times)],
    ['prefixes', (times) => many('<aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa:', times)],
    ['blanks behind a mark', (times) => `<tool_call>${many(' ', times)}{`],
    [
      'closing marks in a string',
      (times) => `<tool_call>{"name":"f","arguments":{"a":"${many('</tool_call>', times)}"}}</tool_call>`,
    ],
    [
      'closing tags in a value',
      (times) => `<invoke name="f"><parameter name="a">${many('</parameter>', times)}x</parameter></invoke>`,
    ],
    ['quoted calls in a value', (times) => inValue(many('<invoke name="f"></invoke> ', times))],
    ['nested quoted calls', (times) => inValue(many('<invoke name="f"><parameter name="b">', times))],
    ['mentioned tags in a value', (times) => inValue(many('<invoke name="f"> ', times))],
    ['mentioned closing tags in a value', (times) => inValue(many('</invoke> ', times))],
    [
      'quoted calls in a section',
      (times) => inValue(`<![CDATA[${many('<invoke name="f"></invoke>', times)}`),
    ],
    ['backslashes', (times) => `<tool_call>{"a":"${many('\\', times)}"}</tool_call>`],
    ['surplus brackets', (times) => `<tool_call>{"name":"f"}${many('}', times)}</tool_call>`],
    [
      'quotes to mend',
      (times) => `<tool_call>{"name":"f","arguments":{"a":"${many('x" y ', times)}"}}</tool_call>`,
    ],
    ['comments', (times) => many('<tool_call>{/*', times)],
    ['typographic quotes', (times) => many('<tool_call>{\u201ca\u201d: \u201cb\u201d, ', times)],
    ['doubled braces', (times) => many('<tool_call>{{"a":', times)],
    ['names without arguments', (times) => many('a {"name":"f"} b ', times)],
    ['links', (times) => many('a: [f()](b) ', times)],
    ['inline code', (times) => many('`a {"name":"f","arguments":{}} ', times)],
    ['actions', (times) => many('Action: f\nAction Input: a\nb\n\n', times)],
    ['actions on one line', (times) => many('Action: f Action Input: ', times)],
    ['calls and semicolons', (times) => many('{"name":"f"};', times)],
    ['code that only opens', (times) => many('[f(', times)],
    ['code with an open string', (times) => many('[f(a="', times)],
    ['marked code that only opens', (times) => many('<|tool_call_start|>[f(', times)],
    ['values that are closed too early', (times) => many('<function=f><parameter=a></parameter>x', times)],
    ['values that are not closed', (times) => many('<tool_call><function=f><parameter=a>', times)],
    [
      'closing marks of calls in a value',
      (times) => `<function=f><parameter=a>${many('</function>', times)}`,
    ],
    ['blanks in a value', (times) => `<function=f><parameter=a>${many(' ', times)}`],
    [
      'sections that only open',
      (times) => many('<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{"a', times),
    ],
    ['strings between marks', (times) => many('<|tool_call>call:f{a:<|"|>', times)],
    ['elements', (times) => many('<f><a>', times)],
    ['elements that hold text', (times) => many('<f>\nc', times)],
    ['names on lines of their own', (times) => many('f\n<a>\n', times)],
    [
      'elements with many names',
      (times) => `<f>${Array.from({ length: 400 * times }, (_, index) => `<a${index}>`).join('')}</f>`,
    ],
    ['YAML lists', (times) => `<f>\na:\n${many('  - b: c\n', times)}</f>`],
    ['YAML keys without a colon', (times) => `<f>\na: b\n${many('x ', times)}\n</f>`],
    ['Action lines', (times) => many('Action: f\nAction Input: {', times)],
    ['messages', (times) => many('<|start|>assistant<|channel|>commentary to=functions.f', times)],
  ] as readonly (readonly [string, (times: number) => string])[])('stays linear on %s', (_, text) => {
    expect(growthOf((times) => parseToolCalls(text(times), { tools }))).toBeLessThan(LINEAR);
    expect(growthOf((times) => stream(text(times), 16))).toBeLessThan(LINEAR);
  });

  const examples = listFormats().flatMap(({ id, kind, sameAs, example }) =>
    kind === 'text' && sameAs === undefined && example !== undefined ? [[id, example] as const] : [],
  );
  it.each(examples)('stays linear on beginnings of %s without an end', (_, example) => {
    const piece = example.slice(0, Math.ceil(example.length * 0.4));
    const declared = [{ name: 'get_weather' }];
    const read = (times: number) =>
      parseToolCalls(piece.repeat((4000 * times) / piece.length), { tools: declared });
    expect(growthOf(read)).toBeLessThan(LINEAR);
  });
});
