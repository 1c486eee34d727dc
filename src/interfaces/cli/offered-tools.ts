import { ToolgateError } from '../../domain/errors.js';
import { isJsonObject, type JsonObject } from '../../domain/json.js';

/** A tool as a request to a model names it. */
export interface OfferedTool {
  readonly name: string;
  readonly description?: string;
  readonly parameters?: JsonObject;
}

/** What providers call the schema of a tool's arguments. */
const SCHEMA_KEYS = [
  'parameters',
  'input_schema',
  'inputSchema',
  'parametersJsonSchema',
  'parameter_definitions',
];

/** The tools in a list, or in the `tools` of a request, in the shape of any provider. */
export function offeredTools(data: unknown, file: string): readonly OfferedTool[] {
  const list: unknown = isJsonObject(data) ? data.tools : data;
  if (!Array.isArray(list)) throw refuse(file, 'expected a list of tools, or an object with "tools"');
  return list.flatMap((entry: unknown, index) => {
    const tools = unwrap(entry).map(readTool);
    if (!tools.every((tool) => tool !== undefined)) {
      throw refuse(file, `tool ${index + 1} needs a name, and a JSON Schema as its parameters if it has any`);
    }
    return tools;
  });
}

/** OpenAI wraps a tool in `function`, Bedrock in `toolSpec`, and Gemini puts several into `functionDeclarations`. */
function unwrap(entry: unknown): readonly unknown[] {
  if (!isJsonObject(entry)) return [entry];
  const { functionDeclarations: several } = entry;
  return Array.isArray(several) ? several : [entry.function ?? entry.toolSpec ?? entry];
}

function readTool(value: unknown): OfferedTool | undefined {
  if (!isJsonObject(value) || typeof value.name !== 'string' || value.name === '') return undefined;
  const { name, description } = value;
  const key = SCHEMA_KEYS.find((candidate) => value[candidate] !== undefined);
  const schema = key === undefined ? {} : value[key];
  if (!isJsonObject(schema)) return undefined;
  // Bedrock puts the schema one level deeper.
  const parameters = isJsonObject(schema.json) ? schema.json : schema;
  return { name, ...(typeof description === 'string' ? { description } : {}), parameters };
}

function refuse(file: string, problem: string): ToolgateError {
  return new ToolgateError('USER.ARGUMENT.INVALID', `--tools ${file}: ${problem}`);
}
