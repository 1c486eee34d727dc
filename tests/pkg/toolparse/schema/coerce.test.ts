import { describe, expect, it } from '@jest/globals';
import { coerceJson, coerceText } from '../../../../src/pkg/toolparse/schema/coerce.js';
import type { JsonObject } from '../../../../src/pkg/toolparse/types.js';

const root: JsonObject = {
  $defs: {
    count: { type: 'integer' },
    tree: { type: 'object', properties: { child: { $ref: '#/$defs/tree' }, n: { $ref: '#/$defs/count' } } },
  },
};
const text = (raw: string, schema: JsonObject) => coerceText(raw, { schema, root }).value;
const json = (value: never, schema: JsonObject) => coerceJson(value, { schema, root });

describe('coerceText', () => {
  it.each([
    ['3', { type: 'integer' }, 3],
    ['3.0', { type: 'integer' }, 3],
    ['3.5', { type: 'integer' }, '3.5'],
    ['9007199254740993', { type: 'integer' }, '9007199254740993'],
    ['1e999', { type: 'number' }, '1e999'],
    ['FALSE', { type: 'boolean' }, false],
    ['yes', { type: 'boolean' }, 'yes'],
    [' x ', { type: 'string' }, ' x '],
    ['3', {}, '3'],
    ['3', { enum: [1, 2, 3] }, 3],
    ['3', { enum: ['1', '3'] }, '3'],
    ['3', { $ref: '#/$defs/count' }, 3],
    ['3', { type: 'int' }, 3],
    ['null', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, null],
    ['null', { type: ['string', 'null'] }, null],
    ['null', { type: 'string' }, 'null'],
    ['null', { type: 'integer', nullable: true }, null],
    ['["NYC"]', { anyOf: [{ type: 'string' }, { type: 'array' }] }, ['NYC']],
    ['5', { type: ['string', 'integer'] }, 5],
    ['007', { type: ['string', 'integer'] }, '007'],
    ['{"a": 1,}', { type: 'object' }, { a: 1 }],
    ['[1', { type: 'object' }, '[1'],
    ['{"n": "4", "child": {"n": "5"}}', { $ref: '#/$defs/tree' }, { n: 4, child: { n: 5 } }],
  ])('reads %j under %j as %j', (raw, schema, expected) => {
    expect(text(raw, schema)).toEqual(expected);
  });

  it('says what it mended', () => {
    expect(coerceText("{'a': 1}", { schema: { type: 'object' }, root }).fixes).toEqual(['single quotes']);
  });
});

describe('coerceJson', () => {
  it('returns the very same value when nothing is to be done', () => {
    const value = { a: ['1', { b: 'x' }], c: 2 } as never;
    expect(json(value, { properties: { a: { type: 'array' }, c: { type: 'integer' } } })).toBe(value);
  });

  it('corrects strings that the schema says are none, at any depth', () => {
    const schema = {
      properties: {
        list: { type: 'array', items: { type: 'integer' } },
        tree: { $ref: '#/$defs/tree' },
        text: { type: 'string' },
      },
      additionalProperties: { type: 'boolean' },
    };
    const value = { list: ['1', 2], tree: '{"n":"3"}', text: '4', other: 'true' } as never;
    expect(json(value, schema)).toEqual({ list: [1, 2], tree: { n: 3 }, text: '4', other: true });
  });

  it('ends on a schema that only refers to itself', () => {
    const looped: JsonObject = { anyOf: [{ $ref: '#' }, { $ref: '#' }, { $ref: '#' }] };
    expect(coerceJson({ a: '1' }, { schema: looped, root: looped })).toEqual({ a: '1' });
  });
});
