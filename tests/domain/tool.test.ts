import { describe, expect, it } from '@jest/globals';
import type { JsonSchema } from '../../src/domain/json.js';
import { createTool } from '../../src/domain/tool.js';

const parametersOf = (parameters: JsonSchema) => createTool({ name: 'look', parameters }).parameters;
const named = { properties: { a: { type: 'string' } } };

describe('createTool', () => {
  it('closes a schema that says nothing of other keys', () => {
    expect(parametersOf({ type: 'object', ...named })).toEqual({
      type: 'object',
      ...named,
      additionalProperties: false,
    });
  });

  it.each<[string, JsonSchema]>([
    ['a reference', { $ref: '#/$defs/it', $defs: { it: named } }],
    ['allOf', { allOf: [named] }],
    ['anyOf', { anyOf: [{ required: ['a'] }, { oneOf: [named] }] }],
    ['oneOf', { oneOf: [{ patternProperties: { '^a': {} } }] }],
    ['else', { if: { required: ['b'] }, else: named }],
    ['a dependency', { dependentSchemas: { b: named } }],
  ])('closes one whose properties are named by %s so that these still pass', (_, schema) => {
    const parameters = parametersOf(schema);
    expect(parameters.unevaluatedProperties).toBe(false);
    expect(parameters.additionalProperties).toBeUndefined();
  });

  it('knows choices that name nothing from those that do', () => {
    const choices = { ...named, anyOf: [{ required: ['a'] }, { not: { required: ['a'] } }] };
    expect(parametersOf(choices).additionalProperties).toBe(false);
  });

  it.each<[string, JsonSchema]>([
    ['additionalProperties', { additionalProperties: true }],
    ['additionalProperties', { additionalProperties: { type: 'string' } }],
    ['unevaluatedProperties', { allOf: [named], unevaluatedProperties: { type: 'number' } }],
  ])('leaves a schema open that says so with %s', (_, schema) => {
    expect(parametersOf(schema)).toEqual({ type: 'object', properties: {}, ...schema });
  });
});
