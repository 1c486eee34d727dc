import { suggestName } from './closest.js';
import { InvalidToolError } from './errors.js';
import { deepFreeze, isJsonObject, type Json, type JsonObject, type JsonSchema } from './json.js';

/** What a tool changes: nothing, things on this machine, or things beyond it. */
export type SideEffects = 'none' | 'local' | 'external';

/** What a tool is: the part of it that a model, a person and the gate all need to know. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments; always an object schema, which allows no other keys unless it says so. */
  readonly parameters: JsonSchema;
  readonly sideEffects: SideEffects;
  /** Whether what it does cannot be taken back. May make approval stricter, never laxer. */
  readonly destructive: boolean;
  /** Whether running a call twice is the same as once: such a call is repeated after a crash, others never. */
  readonly idempotent: boolean;
  /** Whether its calls run alone, with no other call of the batch beside them. */
  readonly exclusive: boolean;
}

/** The form every provider accepts; dots and spaces are refused by some of them. */
export const TOOL_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

const NO_PARAMETERS: JsonSchema = { type: 'object', properties: {}, additionalProperties: false };

/**
 * The only way to make a Tool, so a Tool in hand is always a valid one. Unknown means dangerous. Whether the
 * parameters are a JSON Schema in every corner is for the validator, which compiles them before they are used.
 */
export function createTool(input: Partial<Tool> & Pick<Tool, 'name'>): Tool {
  checkInput(input);
  return deepFreeze({
    name: input.name,
    description: input.description ?? '',
    parameters: closedObject(input.parameters ?? NO_PARAMETERS),
    sideEffects: input.sideEffects ?? 'external',
    destructive: input.destructive ?? (input.sideEffects ?? 'external') !== 'none',
    idempotent: input.idempotent ?? false,
    exclusive: input.exclusive ?? false,
  });
}

/** A schema that says nothing about other keys refuses them: an argument nobody declared is never honoured. */
function closedObject(schema: JsonSchema): JsonSchema {
  // OpenAI refuses an object without `properties`, and many MCP servers leave them out.
  const properties = schema.properties === undefined ? { properties: {} } : {};
  return { ...closedSchema(schema), type: 'object', ...properties };
}

/** The same schema without room for keys that it does not name, unless it says itself what becomes of those. */
export function closedSchema(schema: JsonSchema): JsonSchema {
  if (schema.additionalProperties !== undefined || schema.unevaluatedProperties !== undefined) return schema;
  // `additionalProperties` sees only the names beside it, and would refuse those of a branch.
  const key = namesInBranches(schema as JsonObject) ? 'unevaluatedProperties' : 'additionalProperties';
  return { [key]: false, ...schema };
}

const BRANCHES = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'] as const;

/** Whether properties are named by what is referred to, or by one of several schemas for the same object. */
function namesInBranches(schema: JsonObject): boolean {
  if (schema.$ref !== undefined || schema.dependentSchemas !== undefined) return true;
  const branches = BRANCHES.flatMap((key): readonly (Json | undefined)[] => [schema[key]].flat());
  return branches
    .filter(isJsonObject)
    .some((one) => 'properties' in one || 'patternProperties' in one || namesInBranches(one));
}

/** It may come from plain JavaScript, so nothing is taken for granted; all that is wrong is said at once. */
function checkInput(input: unknown): void {
  if (!isJsonObject(input)) throw new InvalidToolError('', `needs to be an object, not ${shown(input)}`);
  const wrong = Object.entries(PROBLEM_OF).flatMap(([key, problemOf]) => {
    // Only what has no default must be there.
    if (input[key] === undefined && key !== 'name') return [];
    const problem = problemOf(input[key]);
    return problem === undefined ? [] : [problem];
  });
  const known = Object.keys(PROBLEM_OF);
  const unknown = Object.keys(input)
    .filter((key) => !known.includes(key))
    .map((key) => `has a key "${key}" that no tool has (${suggestName(key, known)})`);
  const problems = [...wrong, ...unknown];
  if (problems.length > 0) throw new InvalidToolError(nameIn(input.name), problems.join('; '));
}

const SIDE_EFFECTS: readonly unknown[] = ['none', 'local', 'external'] satisfies SideEffects[];

const PROBLEM_OF: Readonly<Record<keyof Tool, (value: unknown) => string | undefined>> = {
  name: (value) =>
    typeof value === 'string' && TOOL_NAME.test(value)
      ? undefined
      : 'needs a name of letters, digits, "_" and "-" (at most 64)',
  description: (value) =>
    typeof value === 'string' ? undefined : `needs a description that is text, not ${shown(value)}`,
  parameters: parametersProblem,
  sideEffects: (value) =>
    SIDE_EFFECTS.includes(value)
      ? undefined
      : `needs sideEffects "none", "local" or "external", not ${shown(value)}`,
  destructive: yesOrNo('destructive'),
  idempotent: yesOrNo('idempotent'),
  exclusive: yesOrNo('exclusive'),
};

function yesOrNo(key: keyof Tool): (value: unknown) => string | undefined {
  return (value) =>
    typeof value === 'boolean' ? undefined : `needs ${key} to be true or false, not ${shown(value)}`;
}

function parametersProblem(value: unknown): string | undefined {
  if (!isJsonObject(value)) return `needs parameters that are one JSON Schema, not ${shown(value)}`;
  const { type = 'object', properties = {} } = value;
  if (type !== 'object') return `needs parameters of type object, not ${String(type)}`;
  return isJsonObject(properties)
    ? undefined
    : `needs the properties of its parameters by name, not ${shown(properties)}`;
}

function nameIn(name: unknown): string {
  return typeof name === 'string' ? name : '';
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : String(value).slice(0, 40);
}
