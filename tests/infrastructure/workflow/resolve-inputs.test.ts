import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ToolgateError } from '../../../src/domain/errors.js';
import type { InputValues } from '../../../src/domain/workflow.js';
import { parseWorkflow } from '../../../src/infrastructure/workflow/parse-workflow.js';
import { resolveInputs } from '../../../src/infrastructure/workflow/resolve-inputs.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

describe('resolveInputs', () => {
  it('types what is given, and fills in defaults', () => {
    const inputs =
      '[{ name: s }, { name: i, type: integer }, { name: n, type: number }, { name: b, type: boolean }, { name: d, type: integer, default: 7 }, { name: o, required: false }]';
    expect(resolve(inputs, { s: '5', i: '-12', n: '1.5e3', b: 'false' })).toStrictEqual({
      s: '5',
      i: -12,
      n: 1500,
      b: false,
      d: 7,
    });
  });

  it('names all missing inputs in one error', () => {
    expect(
      errorOf(
        '[{ name: a }, { name: b, description: "what to do\\nand more" }, { name: c, default: x }]',
        {},
      ),
    ).toEqual(['USER.INPUT.MISSING', 'missing inputs: `a`, `b` (what to do); give each as -i a=…']);
  });

  it('leads with an unknown name, which is often why another is missing', () => {
    expect(errorOf('[{ name: project_path }]', { projct_path: '.' })).toEqual([
      'USER.INPUT.UNKNOWN',
      'there is no input `projct_path`; did you mean `project_path`?\nmissing input: `project_path`; give each as -i project_path=…',
    ]);
    expect(errorOf('[]', { a: '1' })).toEqual([
      'USER.INPUT.UNKNOWN',
      'there is no input `a`; the workflow has no inputs',
    ]);
  });

  it.each([
    ['integer', '1.5', 'a whole number'],
    ['integer', '99999999999999999999', 'a whole number'],
    ['integer', '', 'a whole number'],
    ['integer', '0x10', 'a whole number'],
    ['number', '1,5', 'a number'],
    ['number', '1e999', 'a number'],
    ['boolean', 'yes', 'true or false'],
    ['string', 'a\0b', 'a text without NUL'],
  ])('refuses for %s: %j', (type, text, expected) => {
    expect(errorOf(`[{ name: a, type: ${type} }]`, { a: text })).toEqual([
      'USER.INPUT.INVALID',
      `input \`a\`: expected ${expected}; found ${JSON.stringify(text)}`,
    ]);
  });

  it.each([
    ['type: string, validation: { enum: [a, b] }', 'c', 'expected one of a, b'],
    ['type: integer, validation: { enum: [1, 2] }', '3', 'expected one of 1, 2'],
    ['type: integer, validation: { min: 1 }', '0', 'expected 1 or more'],
    ['type: number, validation: { max: 2.5 }', '3', 'expected 2.5 or less'],
    ['validation: { pattern: "^[a-z]+$" }', 'A', 'expected a text that matches ^[a-z]+$'],
    ['validation: { file_extension: md }', 'a.txt', 'expected a path that ends in .md'],
    ['validation: { file_exists: true }', 'nowhere', 'expected the path of something that exists'],
  ])('checks { %s }', (declaration, text, expected) => {
    expect(errorOf(`[{ name: a, ${declaration} }]`, { a: text })).toEqual([
      'USER.INPUT.INVALID',
      `input \`a\`: ${expected}; found ${/^\d/.test(text) ? text : JSON.stringify(text)}`,
    ]);
  });

  it('finds files from the workspace on', () => {
    const workspace = temporaryFolder();
    writeFileSync(join(workspace, 'notes.MD'), '');
    const workflow = parseWorkflow(
      'inputs: [{ name: a, validation: { file_exists: true, file_extension: [.md] } }]',
    );
    expect(resolveInputs(workflow, { a: 'notes.MD' }, { workspace })).toEqual({ a: 'notes.MD' });
  });

  it('checks a default as it checks a given value', () => {
    expect(errorOf('[{ name: a, type: integer, default: 9, validation: { max: 5 } }]', {})[0]).toBe(
      'USER.INPUT.INVALID',
    );
  });

  it('ends a pattern that would run for ever', () => {
    const [code, message] = errorOf('[{ name: a, validation: { pattern: "^(a+)+$" } }]', {
      a: `${'a'.repeat(50)}!`,
    });
    expect(code).toBe('USER.INPUT.INVALID');
    expect(message).toContain('takes too long');
    expect(errorOf('[{ name: a, validation: { pattern: a } }]', { a: 'a'.repeat(20_000) })[1]).toContain(
      'at most 10000 characters',
    );
  });

  it('never shows a secret', () => {
    const [, message] = errorOf('[{ name: a, secret: true, validation: { pattern: "^sk-" } }]', {
      a: 'hunter2',
    });
    expect(message).toBe('input `a`: expected a text that matches ^sk-; found (a secret)');
  });

  it('looks at own keys only', () => {
    const given = Object.create({ a: 'inherited' }) as Record<string, string>;
    expect(() => resolveInputs(parseWorkflow('inputs: [{ name: a }]'), given, { workspace: '.' })).toThrow(
      'missing',
    );
    expect(errorOf('[]', JSON.parse('{"__proto__":"x"}') as Record<string, string>)[0]).toBe(
      'USER.INPUT.UNKNOWN',
    );
  });
});

function resolve(inputs: string, given: Record<string, string>): InputValues {
  return resolveInputs(parseWorkflow(`inputs: ${inputs}`), given, { workspace: '.' });
}

function errorOf(inputs: string, given: Record<string, string>): readonly string[] {
  try {
    resolve(inputs, given);
  } catch (error) {
    if (error instanceof ToolgateError) return [error.code, error.message];
  }
  throw new Error('nothing was refused');
}
