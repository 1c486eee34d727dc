import { describe, expect, it } from '@jest/globals';
import type { JsonSchema } from '../../src/domain/json.js';
import { createTool } from '../../src/domain/tool.js';

// As plain JavaScript gives them.
const create = (input: unknown) => () => createTool(input as Parameters<typeof createTool>[0]);

describe('createTool', () => {
  it('fills in what was left out, with what is safe', () => {
    expect(createTool({ name: 'deploy' })).toEqual({
      name: 'deploy',
      description: '',
      parameters: { type: 'object', properties: {}, additionalProperties: false },
      sideEffects: 'external',
      destructive: true,
      idempotent: false,
      exclusive: false,
    });
  });

  it('takes a tool as it made it', () => {
    const tool = createTool({ name: 'look', sideEffects: 'none', idempotent: true });
    expect(createTool(tool)).toEqual(tool);
    expect(Object.isFrozen(tool.parameters)).toBe(true);
  });

  it.each([
    [undefined, 'needs to be an object, not undefined'],
    [null, 'needs to be an object, not null'],
    [[{ name: 'x' }], 'needs to be an object, not a list'],
    [{}, 'needs a name of letters'],
    [{ name: null }, 'needs a name of letters'],
    [{ name: 'a b' }, 'Tool "a b" needs a name of letters'],
    [{ name: 'x', description: 5 }, 'needs a description that is text, not 5'],
    [{ name: 'x', parameters: [{ name: 'x' }] }, 'needs parameters that are one JSON Schema, not a list'],
    [{ name: 'x', parameters: 'no' }, 'needs parameters that are one JSON Schema, not "no"'],
    [{ name: 'x', parameters: { type: 'array' } }, 'needs parameters of type object, not array'],
    [
      { name: 'x', parameters: { properties: [] } },
      'needs the properties of its parameters by name, not a list',
    ],
    [{ name: 'x', sideEffects: 'zzz' }, 'needs sideEffects "none", "local" or "external", not "zzz"'],
    [{ name: 'x', idempotent: 'yes' }, 'needs idempotent to be true or false, not "yes"'],
    [{ name: 'x', exclusive: 1 }, 'needs exclusive to be true or false, not 1'],
    [
      { name: 'x', destructiv: true },
      'has a key "destructiv" that no tool has (did you mean "destructive"?)',
    ],
    [
      { name: 'x', schema: {} },
      'has a key "schema" that no tool has (there are: name, description, parameters',
    ],
  ])('refuses %j', (input, problem) => {
    expect(create(input)).toThrow(expect.objectContaining({ code: 'WORKFLOW.TOOL.INVALID' }));
    expect(create(input)).toThrow(problem);
  });

  it('says all that is wrong at once', () => {
    expect(create({ name: 'x', description: 5, idempotent: 'yes', approval: 'auto' })).toThrow(
      /description that is text, not 5; needs idempotent .* not "yes"; has a key "approval"/,
    );
  });
});

const parametersOf = (parameters: JsonSchema) => createTool({ name: 'look', parameters }).parameters;
const named = { properties: { a: { type: 'string' } } };

describe('the parameters of a tool', () => {
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
