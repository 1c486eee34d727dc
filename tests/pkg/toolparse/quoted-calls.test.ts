import { describe, expect, it } from '@jest/globals';
import { TEXT_FORMATS } from '../../../src/pkg/toolparse/formats/format-table.js';
import { createToolCallStream, parseToolCalls } from '../../../src/pkg/toolparse/index.js';
import { writeCall } from '../../../src/pkg/toolparse/render/write-call.js';
import { brief, codes, TOOLS } from './fixtures.js';

const parse = (text: string) => parseToolCalls(text, { tools: TOOLS });

function stream(text: string) {
  const calls = createToolCallStream({ tools: TOOLS });
  for (const character of text) calls.push(character);
  return calls.end();
}

const formats = TEXT_FORMATS.filter(({ sameAs }) => sameAs === undefined);
const tagged = formats.filter(({ body }) => body.kind === 'tags');
const examples = formats.flatMap(({ example }) => example?.text ?? []);
const CLAUDE =
  '<invoke name="now">\n<parameter name="a">1</parameter>\n<parameter name="b">2</parameter>\n</invoke>';

/** The ways to write about a call, of which none is a call. */
const QUOTES: Readonly<Record<string, (example: string) => string>> = {
  'on lines of its own': (example) => `See:\n${example}\nEnd.`,
  'in a code block': (example) => `See:\n\`\`\`\n${example}\n\`\`\`\nEnd.`,
  'in the middle of a line': (example) => `Use \`${example.replaceAll('\n', ' ')}\` for it`,
  'long before its end': (example) => `${example}\n${'more of the page\n'.repeat(200)}`,
  'at its very end': (example) => example,
};

describe('a call that an argument quotes', () => {
  it.each(tagged.flatMap((format) => Object.keys(QUOTES).map((way) => [format.id, way] as const)))(
    'is part of the value in %s, %s, whatever its format',
    (id, way) => {
      const format = tagged.find((one) => one.id === id);
      for (const example of [...examples, CLAUDE]) {
        const content = QUOTES[way]?.(example) ?? '';
        const text = format
          ? writeCall(format, { name: 'write_file', arguments: { path: 'a', content } })
          : '';
        const result = parse(text);
        expect([brief(result), result.calls[0]?.complete]).toEqual([
          [['write_file', { path: 'a', content }]],
          true,
        ]);
      }
    },
  );

  it.each(tagged.map(({ id }) => id))('reads the same in pieces in %s', (id) => {
    const format = tagged.find((one) => one.id === id);
    const content = `a ${format?.example?.text} b ${CLAUDE} c`;
    const text = format ? writeCall(format, { name: 'write_file', arguments: { content } }) : '';
    expect(stream(text)).toEqual(parse(text));
  });

  it('has a prefix of its own, and tells nothing about a call with another', () => {
    const content = `</parameter></invoke>\n${CLAUDE}\n<y:invoke name="now"></y:invoke>`;
    const text = `<x:invoke name="write_file"><x:parameter name="content">${content}</x:parameter></x:invoke>`;
    expect([brief(parse(text)), parse(text).problems]).toEqual([[['write_file', { content }]], []]);
  });

  it.each([
    ['is cut off behind it', 'See:\n<tool_call>\n<function=now>\n</function>\n</tool_call>\nand'],
    ['is cut off inside it', 'See:\n<tool_call>\n<function=now>\n<parameter=a>'],
    ['is closed without the value', '<function=now>\n</function>\n</function>\n</tool_call>'],
  ])('never runs, and neither does a call that %s', (_, content) => {
    const result = parse(`<tool_call>\n<function=write_file>\n<parameter=content>\n${content}`);
    expect(result.calls.map(({ name, complete }) => [name, complete])).toEqual([['write_file', false]]);
    expect(codes(result)).toHaveLength(1);
  });

  it('is the next call where all that closes the one before it is there but the value\u2019s tag', () => {
    const first = '<tool_call><function=get_weather><parameter=city>Oslo</function></tool_call>';
    const result = parse(`${first}\n<tool_call><function=now></function></tool_call>`);
    expect(brief(result)).toEqual([
      ['get_weather', { city: 'Oslo' }],
      ['now', {}],
    ]);
  });

  it('is no call when only its tag is named', () => {
    const content = 'A <function=f> tag, an <invoke name="x"> tag or a <tool_calls> tag opens it.';
    const text = `<function=write_file><parameter=content>${content}</parameter></function>`;
    expect([brief(parse(text)), parse(text).problems]).toEqual([[['write_file', { content }]], []]);
  });
});
