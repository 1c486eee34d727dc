import { describe, expect, it } from '@jest/globals';
import { TEXT_FORMATS } from '../../../../src/pkg/toolparse/formats/format-table.js';
import { parseToolCalls } from '../../../../src/pkg/toolparse/index.js';
import { writeCall } from '../../../../src/pkg/toolparse/render/write-call.js';

const TOOLS = [
  { name: 'shell', parameters: { type: 'object', properties: { command: { type: 'string' } } } },
];
const call = (command: string) =>
  `<invoke name="shell"><parameter name="command">${command}</parameter></invoke>`;
const parse = (text: string) => parseToolCalls(text, { tools: TOOLS });
const commandIn = (text: string) =>
  parse(text).calls.map((one) => (one.arguments as { command: string }).command);

describe('the raw text of a parameter', () => {
  it.each([
    ['a CDATA section', '<![CDATA[ls -l]]>', 'ls -l'],
    ['a CDATA section on lines of its own', '\n<![CDATA[a <b> &amp; c]]>\n', 'a <b> &amp; c'],
    ['an empty CDATA section', '<![CDATA[]]>', ''],
    ['escaped brackets', 'echo &lt;a&gt; &amp;amp;', 'echo <a> &amp;'],
    ['escaped brackets and quotes', '&lt;a b=&quot;c&quot; d=&apos;e&apos;&gt;', `<a b="c" d='e'>`],
    ['an escaped escape', '&amp;lt;b&amp;gt; &lt;', '&lt;b&gt; <'],
  ])('is read as XML, once: %s', (_, raw, command) => {
    expect(commandIn(call(raw))).toEqual([command]);
  });

  it.each([
    ['an ampersand of a page', 'Tom &amp; Jerry'],
    ['brackets of both kinds', '<b>&lt;</b>'],
    ['a bare ampersand beside', 'a && b &lt;'],
    ['another entity beside', '&nbsp;&lt;'],
    ['a section in the middle', 'a <![CDATA[b]]> c'],
    ['two sections', '<![CDATA[a]]><![CDATA[b]]>'],
    ['a section that is not closed', '<![CDATA[a'],
  ])('is kept to the byte: %s', (_, raw) => {
    expect(commandIn(call(raw))).toEqual([raw]);
  });
});

describe('a call that is written', () => {
  const formats = TEXT_FORMATS.filter(({ body }) => body.kind === 'tags');
  const texts = [
    '&lt;',
    '<![CDATA[a]]>',
    '&amp;lt; &lt;',
    '<![CDATA[<![CDATA[]]>',
    'a &amp; b',
    '<b>&lt;</b>',
  ];
  it.each(formats.flatMap((format) => texts.map((text) => [format.id, text, format] as const)))(
    'in %s is read back, also with %j in it',
    (_, command, format) => {
      const text = writeCall(format, { name: 'shell', arguments: { command } });
      expect(parseToolCalls(text, { tools: TOOLS, format }).calls).toMatchObject([
        { arguments: { command } },
      ]);
    },
  );
});

describe('entities that a response declares', () => {
  it.each([
    '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>',
    '<!DOCTYPE x [<!ENTITY a "b"><!ENTITY e "&a;&a;">]>',
    '<!ENTITY % e "x">',
    '<!entity\n  e "x">',
  ])('are not expanded, and whoever uses one is not run: %s', (declaration) => {
    const { calls, problems } = parse(`${declaration}${call('echo &e;')}`);
    expect(calls).toMatchObject([{ arguments: { command: 'echo &e;' }, complete: false }]);
    expect(problems.map(({ code }) => code)).toEqual(['entity-declared']);
  });

  it.each([
    ['another name', '<!ENTITY other "x">', 'echo &e;'],
    ['no name', '<!ENTITY e "x">', 'echo e'],
    ['nothing declared', '<!DOCTYPE html>', 'echo &nbsp;'],
  ])('do not matter to a call that uses %s', (_, before, command) => {
    expect(parse(`${before}${call(command)}`).calls).toMatchObject([
      { arguments: { command }, complete: true },
    ]);
  });
});
