import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ToolgateError } from '../../../src/domain/errors.js';
import { parseWorkflow } from '../../../src/infrastructure/workflow/parse-workflow.js';

const EXAMPLES = ['autonomous-coding', 'awf-code-review'].map((name) =>
  readFileSync(`examples/workflows/${name}.yaml`, 'utf8'),
);
const PIECES = [
  '{{',
  '}}',
  '"',
  "'",
  ': ',
  '- ',
  '\n',
  '  ',
  '[',
  ']',
  '{',
  '}',
  '&a',
  '*a',
  '|',
  'null',
  '1',
  '\t',
];

describe('parseWorkflow on damaged files', () => {
  it('loads, or ends in an error of ours with a place in the file', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...EXAMPLES),
        fc.array(fc.tuple(fc.nat(2000), fc.nat(40), fc.constantFrom('', ...PIECES)), {
          minLength: 1,
          maxLength: 3,
        }),
        (example, cuts) => {
          const damaged = cuts.reduce(
            (text, [at, length, piece]) => text.slice(0, at) + piece + text.slice(at + length),
            example,
          );
          expectClearEnd(damaged);
        },
      ),
      { numRuns: 300, seed: 7 },
    );
  });

  it('does so for any data at all', () => {
    const keys = [
      'name',
      'tools',
      'steps',
      'states',
      'inputs',
      'approval',
      'restrictions',
      'prompt',
      'initial',
      'x',
    ];
    const { data } = fc.letrec((tie) => ({
      data: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom<unknown>(null, true, 0, -1, 'agent', 'a', '{{inputs.a}}', '{{', '30s', ''),
        fc.array(tie('data'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...keys), tie('data'), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(data, (value) => expectClearEnd(JSON.stringify(value))),
      { numRuns: 500, seed: 7 },
    );
  });
});

function expectClearEnd(text: string): void {
  try {
    expect(parseWorkflow(text).hash).toHaveLength(64);
  } catch (error) {
    if (!(error instanceof ToolgateError)) throw error;
    expect(error.code).toMatch(/^WORKFLOW\./);
    expect(error.message).toMatch(/^workflow has /);
  }
}
