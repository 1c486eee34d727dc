import { describe, expect, it } from '@jest/globals';
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
