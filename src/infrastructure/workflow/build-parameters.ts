import { isJsonObject, type Json, type JsonSchema } from '../../domain/json.js';
import { closedSchema } from '../../domain/tool.js';
import { checkJsonSchema } from './check-json-schema.js';
import { reportDuplicates } from './report-duplicates.js';
import { checkTyped, type ScalarType } from './scalar-type.js';
import type { YamlValue } from './yaml-value.js';

/** A command tool's parameters as one JSON Schema, and those that may begin with a dash. */
export interface BuiltParameters {
  readonly parameters?: JsonSchema;
  readonly allowDash: readonly string[];
}

/** Reads `parameters:` or `schema:`; only one of them, and only for a command tool. */
export function buildParameters(tool: YamlValue): BuiltParameters {
  const [list, schema] = [tool.get('parameters'), tool.get('schema')];
  reportMisplaced(tool, list, schema);
  if (isJsonObject(schema.raw)) {
    checkJsonSchema(schema);
    checkIsObject(schema);
    return { parameters: closedSchema(schema.raw), allowDash: [] };
  }
  const items = list.items();
  reportDuplicates(items.map((item) => item.get('name')));
  return {
    ...(list.isPresent || tool.get('command').isPresent ? { parameters: objectSchema(items) } : {}),
    allowDash: items.flatMap((item) =>
      item.get('allow_dash').raw === true ? (item.get('name').text() ?? []) : [],
    ),
  };
}

function objectSchema(items: readonly YamlValue[]): JsonSchema {
  const properties = new Map<string, JsonSchema>();
  const required: string[] = [];
  for (const item of items) {
    const name = item.get('name').text();
    if (name === undefined) continue;
    properties.set(name, parameterSchema(item));
    // A template filled by half must not run: what has no default is required, unless the file says otherwise.
    if (item.get('required').flag() ?? !item.get('default').isPresent) required.push(name);
  }
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required,
    additionalProperties: false,
  };
}

function parameterSchema(item: YamlValue): JsonSchema {
  const type = (item.get('type').text() ?? 'string') as ScalarType;
  checkTyped(item.get('default'), type);
  for (const choice of item.get('enum').items()) checkTyped(choice, type);
  const keep = (key: string): Record<string, Json> => {
    const { raw } = item.get(key);
    return raw === undefined ? {} : { [key]: raw };
  };
  return { type, ...keep('description'), ...keep('default'), ...keep('enum') };
}

function reportMisplaced(tool: YamlValue, list: YamlValue, schema: YamlValue): void {
  const code = 'WORKFLOW.TOOL.INVALID';
  if (list.isPresent && schema.isPresent) {
    const message = `${tool.path} has both \`parameters\` and \`schema\`; write one of them`;
    schema.report({ code, message }, 'key');
  }
  if (tool.get('command').isPresent) return;
  for (const [key, value] of Object.entries({ parameters: list, schema })) {
    if (!value.isPresent) continue;
    const owner = tool.get('builtin').isPresent ? 'a built-in tool' : 'a tool bound in code';
    value.report({ code, message: `\`${key}\` is for command tools; ${owner} has its own` }, 'key');
  }
}

function checkIsObject(schema: YamlValue): void {
  const type = schema.get('type');
  if (!type.isPresent || type.raw === 'object') return;
  type.report({
    code: 'WORKFLOW.TOOL.INVALID',
    message: `${type.path}: the arguments of a tool are an object; write \`type: object\` and name each under \`properties\``,
  });
}
