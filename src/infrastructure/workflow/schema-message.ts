import type { ErrorObject } from 'ajv/dist/2020.js';
import { isJsonObject } from '../../domain/json.js';
import type { Finding } from './problems.js';
import { suggestChoice, suggestForm } from './schema-suggestion.js';
import { didYouMean } from './suggest.js';
import type { YamlValue } from './yaml-value.js';

/** One of ajv's errors in the words of whoever wrote the file. */
export function describeSchemaError(error: ErrorObject, value: YamlValue): Finding {
  const unsupported = error.parentSchema?.['x-unsupported'];
  if (typeof unsupported === 'string') {
    return {
      code: 'WORKFLOW.VALIDATION.UNSUPPORTED',
      message: `${value.path}: ${unsupported}${error.keyword === 'enum' ? `; found ${found(error.data)}` : ''}`,
      suggestion: () => suggestChoice(error),
    };
  }
  if (error.keyword === 'additionalProperties') return unknownKey(error);
  if (error.keyword === 'required') {
    return {
      code: 'WORKFLOW.VALIDATION.SCHEMA',
      message: `${value.path} needs \`${String(error.params.missingProperty)}\``,
    };
  }
  const subject = error.propertyName === undefined ? error.data : error.propertyName;
  return {
    code: 'WORKFLOW.VALIDATION.SCHEMA',
    message: `${value.path}: ${expectation(error)}; found ${found(subject)}`,
    suggestion: () => suggestChoice(error) ?? suggestForm(error, value),
  };
}

function unknownKey(error: ErrorObject): Finding {
  const key = String(error.params.additionalProperty);
  const properties = isJsonObject(error.parentSchema?.properties) ? error.parentSchema.properties : {};
  const known = Object.keys(properties).filter((name) => {
    const property = properties[name];
    return !isJsonObject(property) || !('x-unsupported' in property);
  });
  return {
    code: 'WORKFLOW.PARSE.UNKNOWN_FIELD',
    message: `unknown key \`${key.slice(0, 80)}\``,
    suggestion: () => didYouMean(key, known, 'what may be here'),
  };
}

const TYPE_WORDS: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
};

function expectation(error: ErrorObject): string {
  const told = error.parentSchema?.errorMessage;
  if (typeof told === 'string' && error.keyword !== 'type') return told;
  const { params } = error;
  switch (error.keyword) {
    case 'type':
      return `expected ${either([params.type].flat().map((type) => TYPE_WORDS[String(type)] ?? String(type)))}`;
    case 'enum':
      return `expected ${either([params.allowedValues].flat().map(String))}`;
    case 'const':
      return `expected ${String(params.allowedValue)}`;
    case 'minimum':
      return `expected ${params.limit} or more`;
    case 'maximum':
      return `expected ${params.limit} or less`;
    case 'exclusiveMinimum':
      return `expected more than ${params.limit}`;
    case 'minLength':
      return 'expected a text that is not empty';
    case 'minItems':
      return 'expected a list that is not empty';
    case 'minProperties':
      return 'expected a mapping that is not empty';
    default:
      return error.message ?? 'expected something else';
  }
}

/** What the file has there, short and on one line. */
export function found(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (isJsonObject(value)) return Object.keys(value).length === 0 ? 'an empty mapping' : 'a mapping';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** "a, b or c". */
export function either(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}
