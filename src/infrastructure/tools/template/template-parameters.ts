import { suggestName } from '../../../domain/closest.js';
import { ToolgateError } from '../../../domain/errors.js';
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '../../../domain/json.js';
import { lookUp, type ReferencePart } from '../../../domain/template.js';
import type { InputValues } from '../../../domain/workflow.js';

/** Where the values of a command template come from. */
export interface TemplateScope {
  readonly parameters: JsonSchema;
  readonly inputs: InputValues;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Parameters whose value may begin with a dash. */
  readonly allowDash: readonly string[];
  /** What `{{options.…}}` finds: the options of a step whose provider is a command. */
  readonly options?: JsonObject;
}

/** One placeholder's value: known since the template was loaded, or known when the tool is called. */
export interface TemplateValue {
  /** `args.pattern`. */
  readonly name: string;
  /** The value itself, if it is known already. */
  readonly fixed?: string;
  /** Whether a call may leave it out. */
  readonly isOptional: boolean;
  /** Whether it can only ever be a plain word or number that the author of the workflow listed. */
  readonly isClosed: boolean;
  readonly allowsDash: boolean;
  of(args: JsonObject): string | undefined;
}

const SCALARS = new Set<Json>(['string', 'number', 'integer', 'boolean']);
const INERT_WORD = /^[A-Za-z0-9][\w.:@/-]*$/;

/** Finds out what a placeholder stands for. Throws if it names nothing, or something that is no single value. */
export function templateValue(reference: ReferencePart, scope: TemplateScope): TemplateValue {
  const [source, key, ...deeper] = reference.path;
  const name = reference.path.join('.');
  if (source === 'args' && !scope.options && key !== undefined && deeper.length === 0)
    return argumentValue(name, key, scope);
  const { inputs, env, options } = scope;
  const known = options ? { options } : { inputs, env };
  if (source !== undefined && Object.hasOwn(known, source)) {
    const fixed = String(lookUp(reference, known));
    const allowsDash = scope.allowDash.includes(name);
    return { name, fixed, isOptional: false, isClosed: /^\d+$/.test(fixed), allowsDash, of: () => fixed };
  }
  const there = options ? 'is {{options.…}}' : 'are {{args.…}}, {{inputs.…}} and {{env.…}}';
  const message = `{{${name}}} is not known in a command; there ${there}`;
  throw new ToolgateError('WORKFLOW.TEMPLATE.UNKNOWN_NAME', message);
}

function argumentValue(name: string, key: string, { parameters, allowDash }: TemplateScope): TemplateValue {
  const properties = isJsonObject(parameters.properties) ? parameters.properties : {};
  const schema = Object.hasOwn(properties, key) ? properties[key] : undefined;
  if (!isJsonObject(schema)) {
    const hint = suggestName(key, Object.keys(properties));
    const message = `{{${name}}} names no parameter of this tool (${hint})`;
    throw new ToolgateError('WORKFLOW.TEMPLATE.UNKNOWN_NAME', message);
  }
  checkScalar(name, schema);
  const isRequired = Array.isArray(parameters.required) && parameters.required.includes(key);
  return {
    name,
    isOptional: !isRequired && schema.default === undefined,
    isClosed: isClosed(schema),
    allowsDash: allowDash.includes(key),
    of: (args) => textOf(Object.hasOwn(args, key) ? args[key] : schema.default),
  };
}

/** A list or an object is many values; which words they would become is nobody's guess. */
function checkScalar(name: string, { type, enum: values }: JsonSchema): void {
  const isList = Array.isArray(values) && values.every((value) => typeof value !== 'object');
  if (SCALARS.has(type ?? null) || (type === undefined && isList)) return;
  const found = type === undefined ? 'no type' : `type ${JSON.stringify(type)}`;
  const message = `{{${name}}} fills one word, but its parameter has ${found}; give it type string, number, integer or boolean`;
  throw new ToolgateError('WORKFLOW.TOOL.INVALID', message);
}

function isClosed({ type, enum: values }: JsonSchema): boolean {
  if (type === 'integer' || type === 'number' || type === 'boolean') return true;
  return (
    Array.isArray(values) && values.every((value) => typeof value === 'string' && INERT_WORD.test(value))
  );
}

function textOf(value: Json | undefined): string | undefined {
  return value === undefined || value === null ? undefined : String(value);
}
