import type { FormatDeclaration } from '../formats/declaration.js';
import { isObject, own } from '../json/own.js';
import type { Json, JsonObject, ToolSpec } from '../types.js';
import { type RenderOptions, requireTextFormat } from './render-tool-results.js';
import { writeCall } from './write-call.js';

/** Writes what a model without native tools must be told: which tools there are, and how to write a call of one. */
export function renderToolPrompt(tools: readonly ToolSpec[], options: RenderOptions = {}): string {
  const format = requireTextFormat(options.format ?? 'hermes');
  return [
    'You can call the tools below. Each is described by its name and the JSON Schema of its arguments.',
    `<tools>\n${tools.map(describeTool).join('\n')}\n</tools>`,
    'To call a tool, write a block of exactly this form, with the name and the arguments that you need:',
    exampleOf(tools, format),
    'For several calls, write one block after the other. End your message behind the last block; the results follow in the next message. When you need no more tools, answer without a block.',
  ].join('\n\n');
}

function describeTool(tool: ToolSpec): string {
  const parameters = tool.parameters ?? { type: 'object', properties: {} };
  return JSON.stringify({ name: tool.name, description: tool.description ?? '', parameters });
}

/** An example with a tool of the list teaches more than a made-up one. */
function exampleOf(tools: readonly ToolSpec[], format: FormatDeclaration): string {
  const [tool] = tools;
  if (!tool) return format.example?.text ?? writeCall(format, { name: 'tool_name', arguments: {} });
  return writeCall(format, { name: tool.name, arguments: exampleArguments(tool.parameters) });
}

function exampleArguments(schema: JsonObject | undefined): JsonObject {
  const properties = schema && own(schema, 'properties');
  if (!isObject(properties)) return {};
  const required = schema ? own(schema, 'required') : undefined;
  const keys =
    Array.isArray(required) && required.length > 0 ? required : Object.keys(properties).slice(0, 2);
  return Object.fromEntries(
    keys.filter((key) => typeof key === 'string').map((key) => [key, exampleValue(own(properties, key))]),
  );
}

function exampleValue(schema: Json | undefined): Json {
  const type = isObject(schema) ? own(schema, 'type') : undefined;
  if (type === 'integer' || type === 'number') return 1;
  if (type === 'boolean') return true;
  if (type === 'array') return [];
  return type === 'object' ? {} : '…';
}
