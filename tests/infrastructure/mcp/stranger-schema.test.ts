import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../src/domain/json.js';
import { strangerSchema } from '../../../src/infrastructure/mcp/stranger-schema.js';
import { isTame } from '../../../src/infrastructure/mcp/tame-pattern.js';

/** `levels` definitions, each of which refers to the next one twice. */
function doubling(levels: number, inner: (reference: string) => JsonObject): JsonObject {
  const names = Array.from({ length: levels }, (_, at) => `d${at}`);
  const definitions = names.map((name, at) => [name, inner(`#/$defs/d${at + 1}`)]);
  return {
    type: 'object',
    $ref: '#/$defs/d0',
    $defs: { ...Object.fromEntries(definitions), [`d${levels}`]: {} },
  };
}

function nested(levels: number): JsonObject {
  let schema: JsonObject = {};
  for (let level = 0; level < levels; level += 1) schema = { properties: { x: schema } };
  return schema;
}

const node = (inner: JsonObject): JsonObject => ({ $ref: '#/$defs/node', $defs: { node: inner } });
const again = { $ref: '#/$defs/node' };

describe('strangerSchema', () => {
  it.each<[string, JsonObject, string]>([
    ['references that double', doubling(40, ($ref) => ({ allOf: [{ $ref }, { $ref }] })), 'more than 20000'],
    [
      'references that double from level to level',
      doubling(20, ($ref) => ({ anyOf: [{ properties: { x: { $ref } } }, { properties: { x: { $ref } } }] })),
      'more than 20000',
    ],
    [
      'itself twice at one place',
      node({ anyOf: [{ properties: { x: again } }, { properties: { x: again } }] }),
      'meets itself twice',
    ],
    [
      'itself in patterns',
      node({ properties: { x: again }, patternProperties: { x: again } }),
      'meets itself',
    ],
    ['endless depth', nested(2_000), 'nested more than 100'],
    ['references to be found later', { $dynamicRef: '#x' }, 'only when a value is there'],
    ['a megabyte', { description: 'x'.repeat(1_000_000) }, 'longer than'],
  ])('refuses a schema with %s', (_, schema, words) => {
    expect(strangerSchema(schema).problem).toContain(words);
  });

  it.each<[string, JsonObject]>([
    ['a tree', node({ properties: { left: again, right: again } })],
    ['any JSON', node({ anyOf: [{ type: 'array', items: again }, { additionalProperties: again }] })],
    ['a shared definition', doubling(10, ($ref) => ({ properties: { a: { $ref }, b: { $ref } } }))],
    ['a property that is called like a keyword', { properties: { pattern: { type: 'string' }, $ref: {} } }],
    ['a property __proto__', JSON.parse('{"properties":{"__proto__":{"type":"string"}}}')],
    ['a value that looks like a pattern', { default: { pattern: '(a+)+' }, enum: [{ pattern: '(a+)+' }] }],
    ['a reference with a broken escape', { $ref: '#/%' }],
  ])('takes %s as it is', (_, schema) => {
    expect(strangerSchema(schema)).toEqual({ schema });
    expect(JSON.stringify(strangerSchema(schema).schema)).toBe(JSON.stringify(schema));
  });

  it('leaves out patterns that a text could make slow, and what depends on them', () => {
    const schema = {
      properties: {
        slow: { type: 'string', pattern: '^(a+)+$' },
        fast: { type: 'string', pattern: '^[a-z]+$' },
      },
      patternProperties: { '(a|a)*': {} },
      additionalProperties: false,
    };
    expect(strangerSchema(schema).schema).toEqual({
      properties: { slow: { type: 'string' }, fast: { type: 'string', pattern: '^[a-z]+$' } },
    });
  });
});

describe('isTame', () => {
  it.each([
    '^[a-z0-9-]+$',
    '^\\d{4}-\\d{2}-\\d{2}$',
    '^(?:asc|desc)$',
    '^([0-9a-f]{8}-[0-9a-f]{4})$',
    '^v?\\d+\\.0$',
    '^\\[\\]\\(\\)\\+\\*$',
  ])('lets %s be', (pattern) => expect(isTame(pattern)).toBe(true));

  it.each([
    '^(a+)+$',
    '(a|a)*b',
    '(a|a)(a|a)b',
    '\\d*\\d*x',
    'a{0,99}a{0,99}',
    'a?a?a?a?a?aaaaa',
    '^(?=a)',
    '(a)\\1',
    '(?<n>a)\\k<n>',
    '[a](b){3}',
    'x'.repeat(501),
  ])('does not trust %s', (pattern) => expect(isTame(pattern)).toBe(false));
});
