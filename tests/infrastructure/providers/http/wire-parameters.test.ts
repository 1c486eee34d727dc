import { describe, expect, it } from '@jest/globals';
import { createTool } from '../../../../src/domain/tool.js';
import { wireParameters } from '../../../../src/infrastructure/providers/http/wire-parameters.js';

describe('wireParameters', () => {
  it('leaves a schema as it is where the APIs take it', () => {
    const schema = {
      type: 'object',
      properties: { at: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/place' }] } },
      $defs: { place: { enum: ['door', 'window'] } },
    };
    expect(wireParameters(schema)).toBe(schema);
  });

  it('describes what there is to choose from instead of the choice', () => {
    const schema = {
      type: 'object',
      properties: { url: { type: 'string' } },
      anyOf: [{ required: ['url'] }, { properties: { path: { type: 'string' }, url: true } }],
      allOf: [{ properties: { limit: { type: 'number' } } }, true],
      not: { required: ['url', 'path'] },
    };
    expect(wireParameters(schema)).toEqual({
      type: 'object',
      properties: { url: { type: 'string' }, path: { type: 'string' }, limit: { type: 'number' } },
    });
  });

  it('describes choices that are called by a name, and leaves an open schema open', () => {
    const schema = {
      type: 'object',
      oneOf: [{ $ref: '#/$defs/near' }, { $ref: '#/$defs/far' }, { $ref: '#/$defs/none' }],
      $defs: {
        near: { properties: { steps: { type: 'number' } } },
        far: { properties: { miles: { type: 'number' } } },
      },
      additionalProperties: true,
    };
    expect(wireParameters(schema)).toMatchObject({
      properties: { steps: { type: 'number' }, miles: { type: 'number' } },
      additionalProperties: true,
    });
  });

  it('has properties also where a tool has none', () => {
    const { parameters } = createTool({ name: 'look', parameters: { type: 'object' } });
    expect(wireParameters(parameters)).toMatchObject({ type: 'object', properties: {} });
  });
});
