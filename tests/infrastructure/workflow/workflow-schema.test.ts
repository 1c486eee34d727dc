import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { isJsonObject, type Json } from '../../../src/domain/json.js';
import { TOOL_NAME } from '../../../src/domain/tool.js';
import { readWorkflowSchema } from '../../../src/infrastructure/workflow/workflow-schema.js';

const schema = readWorkflowSchema();
const definitions = schema.definitions as Record<string, Record<string, Json>>;

describe('readWorkflowSchema', () => {
  it('is a valid schema of a draft that editors read', () => {
    expect(schema.$schema).toBe('http://json-schema.org/draft-07/schema#');
    const ajv = new Ajv({ strict: false });
    expect(ajv.validateSchema(schema)).toBe(true);
    expect(ajv.errors).toBeNull();
  });

  it('tells every choice in words, since ajv cannot', () => {
    const silent = nodesOf(schema).filter((node) => 'anyOf' in node && typeof node.errorMessage !== 'string');
    expect(silent).toEqual([]);
  });

  it('closes every mapping that lists its keys', () => {
    const open = nodesOf(schema).filter(
      (node) => node.type === 'object' && node.properties && !('additionalProperties' in node),
    );
    expect(open).toEqual([]);
  });

  it('describes every key of the file, of a tool and of a step', () => {
    for (const owner of [schema, definitions.tool, definitions.agentStep, definitions.restrictions]) {
      const properties = Object.entries((owner?.properties ?? {}) as Record<string, Record<string, Json>>);
      const bare = properties.filter(([, property]) => {
        const target = definitions[String(property.$ref).replace('#/definitions/', '')];
        return !property.description && !target?.description;
      });
      expect(bare.map(([key]) => key).filter((key) => !['sandbox', 'description'].includes(key))).toEqual([]);
    }
  });

  it('lets a tool have the names that the domain lets it have, but for reserved ones', () => {
    const pattern = new RegExp(String(definitions.name?.pattern), 'u');
    for (const name of ['a', '_a-9', 'a'.repeat(64), 'a'.repeat(65), '9a', 'a b', 'a.b', '', 'a\n']) {
      expect([name, pattern.test(name)]).toEqual([name, TOOL_NAME.test(name)]);
    }
    expect(['__proto__', 'constructor', 'prototype'].filter((name) => pattern.test(name))).toEqual([]);
  });
});

function nodesOf(value: Json): Record<string, Json>[] {
  if (Array.isArray(value)) return value.flatMap(nodesOf);
  if (!isJsonObject(value)) return [];
  return [value, ...Object.values(value).flatMap(nodesOf)];
}
