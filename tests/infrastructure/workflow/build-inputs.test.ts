import { describe, expect, it } from '@jest/globals';
import { parseWorkflow } from '../../../src/infrastructure/workflow/parse-workflow.js';
import { listProblems } from './problems-of.js';

describe('buildInputs', () => {
  it('reads a list and a map alike', () => {
    const fields = 'type: integer, default: 3, description: how many, secret: true';
    const expected = [
      { name: 'a', type: 'integer', required: false, default: 3, description: 'how many', secret: true },
      { name: 'b', type: 'string', required: true, secret: false },
    ];
    expect(parseWorkflow(`inputs: [{ name: a, ${fields} }, { name: b }]`).inputs).toStrictEqual(expected);
    expect(parseWorkflow(`inputs: { a: { ${fields} }, b: {} }`).inputs).toStrictEqual(expected);
  });

  it('takes patterns as Go writes them', () => {
    expect(listProblems("inputs: [{ name: a, validation: { pattern: '^[\\w\\-]+\\-$' } }]")).toEqual([]);
  });

  it('takes braces in a default that are no reference', () => {
    expect(listProblems('inputs: [{ name: a, default: "{{name}} and {{" }]')).toEqual([]);
  });

  it.each([
    ['[{ name: a }, { name: a }]', 'WORKFLOW.VALIDATION.DUPLICATE'],
    ['[{ name: a b }]', 'expected a name of letters'],
    ['[{ name: __proto__ }]', 'reserved'],
    ['{ a: { name: b } }', 'its name is its key'],
    ['{ a: }', 'found nothing'],
    ['[{ name: a, type: integer, default: "5" }]', 'expected a whole number, as `type` says; found "5"'],
    ['[{ name: a, default: "{{env.HOME}}" }]', 'so {{env.HOME}} would never be filled in'],
    ['{ a: { default: "~/{{ .inputs.b }}" } }', 'so {{ .inputs.b }} would never be filled in'],
    ['[{ name: a, default: 5 }]', 'put it in quotes: "5"'],
    ['[{ name: a, default: [5] }]', 'found a list'],
    [
      '[{ name: a, type: boolean, validation: { min: 1 } }]',
      '`min` says nothing about an input of type boolean',
    ],
    ['[{ name: a, type: integer, validation: { pattern: x } }]', '`pattern` says nothing about an input of'],
    ['[{ name: a, validation: { pattern: "(" } }]', 'Invalid regular expression'],
    ['[{ name: a, type: integer, validation: { enum: [one] } }]', 'expected a whole number'],
    ['[{ name: a, type: text }]', 'expected string, integer, number or boolean'],
    ['a', 'expected a list of inputs, or a mapping from names to inputs; found "a"'],
  ])('refuses %s', (inputs, message) => {
    expect(listProblems(`inputs: ${inputs}`).join('\n')).toContain(message);
  });
});
