import type { ErrorObject } from 'ajv';
import { isJsonObject, type JsonSchema } from '../../domain/json.js';
import { closestTo } from './closest.js';
import { MAX_PATTERN_TEXT } from './schema-pattern.js';

const MAX_PROBLEMS = 12;
const MAX_SHOWN = 60;

/** Ajv's errors as sentences that a model can act on: which argument, what was found, what is expected. */
export function describeProblems(errors: readonly ErrorObject[], schema: JsonSchema): readonly string[] {
  const problems = [...new Set(errors.map((error) => describe(error, schema)))];
  if (problems.length <= MAX_PROBLEMS) return problems;
  return [...problems.slice(0, MAX_PROBLEMS), `… and ${problems.length - MAX_PROBLEMS} more problems`];
}

function describe(error: ErrorObject, schema: JsonSchema): string {
  const { keyword, params, data } = error;
  switch (keyword) {
    case 'required':
      return missing(error, schema);
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return unknown(error, schema);
    case 'type':
      return `${nameOf(error)} must be ${typeText(params.type)}, not ${foundText(data)}`;
    case 'enum':
      return `${nameOf(error)} must be one of ${listOf(params.allowedValues)}, not ${foundText(data)}`;
    case 'const':
      return `${nameOf(error)} must be ${JSON.stringify(params.allowedValue)}, not ${foundText(data)}`;
    case 'pattern':
      return patternText(error);
    default:
      return `${nameOf(error)} ${error.message ?? 'does not fit'}, but is ${foundText(data)}`;
  }
}

function missing(error: ErrorObject, schema: JsonSchema): string {
  const name = String(error.params.missingProperty);
  const property = error.instancePath === '' ? propertiesOf(schema)[name] : undefined;
  const type = isJsonObject(property) && property.type !== undefined ? ` (${typeText(property.type)})` : '';
  return `${memberOf(error, name)} is missing${type}`;
}

function unknown(error: ErrorObject, schema: JsonSchema): string {
  const name = String(error.params.additionalProperty ?? error.params.unevaluatedProperty);
  if (error.instancePath !== '') return `${memberOf(error, name)} is unknown`;
  const known = Object.keys(propertiesOf(schema));
  const closest = closestTo(name, known);
  const hint = closest === undefined ? '' : ` Did you mean "${closest}"?`;
  const takes = known.length === 0 ? 'takes no arguments' : `takes: ${known.join(', ')}`;
  return `unknown argument ${clipped(JSON.stringify(name))}; this tool ${takes}.${hint}`;
}

function patternText(error: ErrorObject): string {
  const { data, params } = error;
  const isTooLong = typeof data === 'string' && data.length > MAX_PATTERN_TEXT;
  return isTooLong
    ? `${nameOf(error)} has ${data.length} characters; at most ${MAX_PATTERN_TEXT} can be checked against its pattern`
    : `${nameOf(error)} must match ${params.pattern}, but is ${foundText(data)}`;
}

function propertiesOf(schema: JsonSchema): Readonly<Record<string, unknown>> {
  return isJsonObject(schema.properties) ? schema.properties : {};
}

function nameOf({ instancePath }: ErrorObject): string {
  return instancePath === '' ? 'the arguments' : `argument "${pathText(instancePath)}"`;
}

function memberOf({ instancePath }: ErrorObject, name: string): string {
  const parent = instancePath === '' ? '' : `${pathText(instancePath)}.`;
  return `argument "${clipped(`${parent}${name}`)}"`;
}

/** `/headers/x~1y` as `headers.x/y`. */
function pathText(pointer: string): string {
  const names = pointer.slice(1).split('/');
  return clipped(names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')).join('.'));
}

function typeText(type: unknown): string {
  const types = (Array.isArray(type) ? type : [type]).map(String);
  return types
    .map((one) => (/^[aio]/.test(one) ? `an ${one}` : one === 'null' ? one : `a ${one}`))
    .join(' or ');
}

function listOf(values: unknown): string {
  const list = Array.isArray(values) ? values : [];
  return clipped(list.map((value) => JSON.stringify(value)).join(', '), 400);
}

function foundText(data: unknown): string {
  if (Array.isArray(data)) return 'an array';
  if (isJsonObject(data)) return 'an object';
  const text = clipped(JSON.stringify(data) ?? typeof data);
  return typeof data === 'string' ? text : `the ${data === null ? 'value' : typeof data} ${text}`;
}

function clipped(text: string, max = MAX_SHOWN): string {
  return text.length > max ? `${text.slice(0, max)}…` : text;
}
