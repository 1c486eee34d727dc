import { describe, expect, it } from '@jest/globals';
import {
  parseTemplate,
  referencesOf,
  renderTemplate,
  TemplateError,
  toSnakeCase,
} from '../../src/domain/template.js';

const SCOPE = {
  inputs: { name: 'Ada', count: 3, empty: '', nothing: null, flag: false },
  states: { build: { output: 'done', tool_stats: { total_calls: 2 } } },
};

describe('renderTemplate', () => {
  it.each([
    ['plain', 'plain'],
    ['', ''],
    ['Hello {{inputs.name}}!', 'Hello Ada!'],
    ['{{.inputs.name}} {{ inputs.count }}', 'Ada 3'],
    ['{{inputs.empty}}|{{inputs.flag}}', '|false'],
    ['{{states.build.output}}', 'done'],
    ['{{.states.build.Output}} {{states.build.ToolStats.TotalCalls}}', 'done 2'],
    ['{{states.build.tool_stats}}', '{"total_calls":2}'],
    ['{{"{{"}} }} {{`raw`}}', '{{ }} raw'],
    ['a } b { c }} d', 'a } b { c }} d'],
  ])('fills %j', (source, text) => {
    expect(renderTemplate(source, SCOPE)).toBe(text);
  });

  it.each([
    ['{{inputs.nobody}}', 'is not known here (there is: name, count'],
    ['{{inputs.nothing}}', 'has no value'],
    ['{{inputs.name.length}}', '"length" is not known here'],
    ['{{inputs.constructor}}', '"constructor" is not known here'],
    ['{{inputs.__proto__}}', '"__proto__" is not known here'],
    ['{{outputs.x}}', '"outputs" is not known here (there is: inputs, states)'],
  ])('never fills %s with nothing', (source, message) => {
    expect(errorOf(() => renderTemplate(source, SCOPE))).toMatchObject({
      code: 'WORKFLOW.TEMPLATE.MISSING_VALUE',
      message: expect.stringContaining(message),
      offset: 0,
    });
  });

  it('never reads a value as a template', () => {
    expect(renderTemplate('{{inputs.x}}', { inputs: { x: '{{inputs.secret}}', secret: 's' } })).toBe(
      '{{inputs.secret}}',
    );
  });
});

describe('parseTemplate', () => {
  it('keeps where each reference is', () => {
    expect(parseTemplate('a {{ .inputs.x }} b')).toEqual([
      { kind: 'text', text: 'a ' },
      { kind: 'reference', path: ['inputs', 'x'], start: 2, end: 17 },
      { kind: 'text', text: ' b' },
    ]);
    expect(referencesOf('{{a.b}} {{"x"}} {{c-d}}').map(({ path }) => path)).toEqual([['a', 'b'], ['c-d']]);
  });

  it.each([
    '{{}}',
    '{{ }}',
    '{{inputs.x | raw}}',
    '{{escape .inputs.x}}',
    '{{inputs..x}}',
    '{{inputs.x',
    '{{1.x}}',
    '{{{inputs.x}}}',
  ])('refuses %s', (source) => {
    expect(errorOf(() => parseTemplate(source))).toMatchObject({ code: 'WORKFLOW.TEMPLATE.SYNTAX' });
  });

  it('hands over every problem to whoever collects them', () => {
    const offsets: number[] = [];
    const parts = parseTemplate('{{}} {{a.b}} {{x y}} {{', ({ offset }) => offsets.push(offset));
    expect(offsets).toEqual([0, 13, 21]);
    expect(parts.filter(({ kind }) => kind === 'reference')).toHaveLength(1);
  });

  it('stays fast on a megabyte', () => {
    const started = performance.now();
    expect(() => parseTemplate(`{{${'a.'.repeat(500_000)}!}}`)).toThrow('is not a reference');
    expect(parseTemplate('{{a.b}}'.repeat(140_000))).toHaveLength(140_000);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe('toSnakeCase', () => {
  it.each([
    ['ToolCalls', 'tool_calls'],
    ['Output', 'output'],
    ['output', 'output'],
    ['TokensUsed', 'tokens_used'],
  ])('writes %s as %s', (name, snake) => {
    expect(toSnakeCase(name)).toBe(snake);
  });
});

function errorOf(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(TemplateError);
    return error;
  }
  return undefined;
}
