import { describe, expect, it } from '@jest/globals';
import {
  createToolCallStream,
  defineFormat,
  type FormatDeclaration,
  listFormats,
  parseToolCalls,
  renderToolPrompt,
  renderToolResults,
} from '../../../src/pkg/toolparse/index.js';
import { brief, TOOLS } from './fixtures.js';

const shout: FormatDeclaration = {
  id: 'shout',
  open: 'CALL!',
  close: '!DONE',
  body: { kind: 'json', name: 'do', arguments: 'with' },
  example: { text: 'CALL! {"do": "now", "with": {"a": 1}} !DONE', name: 'now', arguments: { a: 1 } },
};
const script: FormatDeclaration = {
  id: 'script',
  open: '@run {name}:',
  close: '@end',
  body: { kind: 'tags', parameter: { open: '@set {key}=', close: '@;' } },
};

describe('defineFormat', () => {
  it('reads a format of JSON with keys of its own, alone or beside the built-in ones', () => {
    const format = defineFormat(shout);
    const text = 'CALL! {"do":"now","with":{}} !DONE <tool_call>{"name":"now"}</tool_call>';
    expect(brief(parseToolCalls(text, { format }))).toEqual([['now', {}]]);
    const both = parseToolCalls(text, { format: ['auto', format] });
    expect(both.calls.map((call) => call.format)).toEqual(['shout', 'hermes']);
  });

  it('reads a format of tags, with types from the schema, in a stream too', () => {
    const format = defineFormat(script);
    const text = 'ok @run get_weather: @set city=  Oslo\n@; @set days=3@; @end bye';
    const expected = [['get_weather', { city: '  Oslo\n', days: 3 }]];
    expect(brief(parseToolCalls(text, { format, tools: TOOLS }))).toEqual(expected);
    const stream = createToolCallStream({ format, tools: TOOLS });
    for (const char of text) stream.push(char);
    const result = stream.end();
    expect([brief(result), result.text]).toEqual([expected, 'ok  bye']);
  });

  it('writes prompts and results in it', () => {
    const format = defineFormat(script);
    const prompt = renderToolPrompt(TOOLS, { format });
    const example = prompt.slice(prompt.indexOf('@run'), prompt.indexOf('@end') + 4);
    expect(brief(parseToolCalls(example, { format, tools: TOOLS }))).toEqual([
      ['get_weather', { city: '…' }],
    ]);
    const results = renderToolResults([{ id: '1', name: 'now', output: 'noon' }], { format });
    expect(results).toBe('<tool_response>\n{"name":"now","id":"1","content":"noon"}\n</tool_response>');
  });

  it('is not changed by what happens to the declaration afterwards', () => {
    const declaration = { ...shout, models: ['a'] };
    const format = defineFormat(declaration);
    declaration.models.push('b');
    expect(format.models).toEqual(['a']);
  });

  it.each([
    [{ ...shout, id: 'No Good' }, 'its id needs lower-case letters'],
    [{ ...shout, open: '{name}' }, 'every opening mark needs 2 to 48 characters'],
    [{ ...shout, open: [] }, 'every opening mark needs'],
    [{ ...shout, close: '</{name}>' }, 'takes no slots'],
    [{ ...script, open: '@run:' }, 'every opening mark needs {name}'],
    [{ ...script, close: undefined }, 'a closing mark is needed'],
    [
      { ...script, body: { kind: 'tags', parameter: { open: '@set', close: '' } } },
      "a parameter's opening mark needs {key}",
    ],
    [
      { ...shout, body: { kind: 'morse' } },
      'its body must be of kind "json", "tags", "code", "quoted", "yaml"',
    ],
    [{ ...shout, body: { kind: 'quoted', quote: '"' } }, 'every opening mark needs {name}'],
    [{ ...shout, body: { kind: 'quoted', quote: '"' } }, 'its quote needs 2 characters at least'],
    [{ ...shout, close: undefined, body: { kind: 'yaml' } }, 'a closing mark is needed'],
    [{ ...shout, wrapper: { open: '(', close: ')' } }, 'every mark of its wrapper needs'],
    [{ ...shout, body: undefined }, 'its body must be of kind'],
    [undefined, 'it is no object'],
    [{ ...shout, example: { text: 'CALL! {} !DONE', name: 'now', arguments: {} } }, 'it finds 0 calls in it'],
    [{ ...shout, example: { ...shout.example, arguments: { a: 2 } } }, 'it reads the arguments {"a":1}'],
  ])('refuses %j', (declaration, message) => {
    expect(() => defineFormat(declaration as FormatDeclaration)).toThrow(message);
  });

  it('accepts every built-in declaration but those that open with nothing', async () => {
    const { TEXT_FORMATS } = await import('../../../src/pkg/toolparse/formats/format-table.js');
    for (const format of TEXT_FORMATS.filter(({ open }) => open !== ''))
      expect(defineFormat(format)).toEqual(format);
    const bare = TEXT_FORMATS.filter(({ open, sameAs }) => open === '' && sameAs === undefined);
    expect(bare.map(({ id }) => id)).toEqual(['pythonic', 'bare_json', 'morph_xml', 'yaml_xml']);
  });

  it('reads code, quoted objects and YAML between marks of the user', () => {
    const marks = { open: 'CALL!', close: '!DONE' };
    const named = { open: 'CALL!{name}', close: '!DONE' };
    const cases = [
      [{ id: 'a', ...marks, body: { kind: 'code' } }, 'CALL! now(a=1) !DONE'],
      [{ id: 'b', ...named, body: { kind: 'quoted', quote: '%%' } }, 'CALL!now{a:1}!DONE'],
      [{ id: 'c', ...named, body: { kind: 'yaml' } }, 'CALL!now\na: 1\n!DONE'],
    ] as const;
    for (const [declaration, text] of cases) {
      const format = defineFormat(declaration);
      expect(brief(parseToolCalls(`x ${text} y`, { format }))).toEqual([['now', { a: 1 }]]);
    }
  });
});

describe('listFormats', () => {
  it('lists each format once, with what it is and who writes it', () => {
    const formats = listFormats();
    expect(new Set(formats.map(({ id }) => id)).size).toBe(formats.length);
    for (const format of formats)
      expect([format.id, format.title !== '', format.models.length > 0]).toEqual([format.id, true, true]);
    const loose = formats.filter(({ declaredOnly, sameAs }) => declaredOnly && sameAs === undefined);
    expect(loose.map(({ id }) => id)).toEqual([
      'functionary_v32',
      'tool_code',
      'pythonic',
      'react',
      'cohere_r_plus',
      'fenced_yaml',
      'fenced_json',
      'bare_json',
      'morph_xml',
      'yaml_xml',
    ]);
    const ids = new Set(formats.map(({ id }) => id));
    for (const { sameAs } of formats) if (sameAs !== undefined) expect(ids).toContain(sameAs);
    expect(formats.every(({ eventStream, kind }) => eventStream === (kind === 'wire'))).toBe(true);
  });
});
