import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/domain/json.js';
import { boundsOf, failsFor } from '../../../src/domain/rules/quick-reject.js';
import { AjvArgumentValidator } from '../../../src/infrastructure/validation/ajv-argument-validator.js';

const plain = fc.constantFrom(0, -0, 1, 2.5, 'a', '', true, false, null);
const schema = fc.record(
  {
    const: plain,
    minimum: fc.constantFrom(0, 1, 3),
    maximum: fc.constantFrom(0, 2),
    type: fc.constantFrom('number', 'string'),
  },
  { requiredKeys: [] },
);
const name = fc.constantFrom('a', 'b', 'toString');
const value = fc.oneof(plain, fc.constantFrom([1], { a: 1 }));
const validator = new AjvArgumentValidator();

describe('a quick look at arguments', () => {
  it('never fails what the schema itself would let pass', () => {
    fc.assert(
      fc.property(
        fc.dictionary(name, schema),
        fc.array(name),
        fc.dictionary(name, value),
        (properties, required, args) => {
          const whole = { type: 'object', properties, required: [...new Set(required)] } as JsonObject;
          if (failsFor(boundsOf(whole), args as JsonObject)) {
            expect(validator.matches(whole, args as JsonObject)).toBe(false);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
