import { isJsonObject, type Json, type JsonObject } from '../../domain/json.js';
import type { Tool } from '../../domain/tool.js';
import type { McpTool } from './sdk.js';

/** A tool as clients are told of it. The hints are what the gate itself goes by, so they are true. */
export function toMcpTool({ name, description, parameters, ...tool }: Tool): McpTool {
  return {
    name,
    description,
    inputSchema: objectSchema(parameters) as McpTool['inputSchema'],
    annotations: {
      readOnlyHint: tool.sideEffects === 'none',
      destructiveHint: tool.destructive,
      idempotentHint: tool.idempotent,
      openWorldHint: tool.sideEffects === 'external',
    },
  };
}

/** JSON Schema lets a property be `true`; clients expect an object there, and one that fails hides every tool. */
function objectSchema(schema: JsonObject): JsonObject {
  if (!isJsonObject(schema.properties)) return schema;
  const properties = Object.entries(schema.properties).map(([name, property]) => [name, asObject(property)]);
  return { ...schema, properties: Object.fromEntries(properties) as JsonObject };
}

function asObject(property: Json): Json {
  if (property === true) return {};
  return property === false ? { not: {} } : property;
}
