import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Json, JsonSchema } from '../../../src/domain/json.js';
import { boundsOf, failsFor } from '../../../src/domain/rules/quick-reject.js';
import { AjvArgumentValidator } from '../../../src/infrastructure/validation/ajv-argument-validator.js';

const values = fc.constantFrom<Json>(
  'a',
  'ab',
  'abb',
  'docs/x',
  '',
  0,
  -0,
  1,
  1.5,
  10,
  true,
  false,
  null,
  [],
  {},
  [1],
);
const conditions = fc.record(
  {
    const: values,
    enum: fc.array(values, { minLength: 1, maxLength: 3 }),
    type: fc.constantFrom<Json>(
      'string',
      'integer',
      'number',
      'null',
      ['string', 'boolean'],
      'array',
      'object',
    ),
    minimum: fc.constantFrom(0, 1, 5),
    maximum: fc.constantFrom(0, 1, 5),
    pattern: fc.constantFrom('^ab?$', '^ab*', '^docs/', '^a|b', 'b', '^ab{2}', '^a-b', '^'),
  },
  { requiredKeys: [] },
);

describe('failsFor', () => {
  it('rejects nothing that the schema itself would take', () => {
    const validator = new AjvArgumentValidator();
    fc.assert(
      fc.property(conditions, fc.option(values, { nil: undefined }), (x, value) => {
        const schema = { type: 'object', properties: { x }, required: ['x'] } as unknown as JsonSchema;
        const args = value === undefined ? {} : { x: value };
        if (failsFor(boundsOf(schema), args)) expect(validator.matches(schema, args)).toBe(false);
      }),
      { numRuns: 3_000 },
    );
  });

  it.each<[string, Json, Json]>([
    ['const', { const: 'a' }, 'b'],
    ['enum', { enum: ['a', 'b'] }, 'c'],
    ['type', { type: ['string', 'integer'] }, 1.5],
    ['minimum', { minimum: 5 }, 4],
    ['pattern', { pattern: '^docs ' }, 'src'],
  ])('tells by %s alone', (_, x, value) => {
    expect(failsFor(boundsOf({ properties: { x }, required: ['x'] }), { x: value })).toBe(true);
  });
});
