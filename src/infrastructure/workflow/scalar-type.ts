import { found } from './schema-message.js';
import type { YamlValue } from './yaml-value.js';

/** What an input or a parameter of a list can be. */
export type ScalarType = 'string' | 'integer' | 'number' | 'boolean';

const WORDS: Record<ScalarType, string> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
};

/** As JSON Schema means it. */
function isOfType(value: unknown, type: ScalarType): boolean {
  return type === 'integer' ? Number.isSafeInteger(value) : typeof value === type;
}

/** Reports a default or a choice that is of another type than what it belongs to. */
export function checkTyped(value: YamlValue, type: ScalarType): void {
  const scalar = value.scalar();
  if (scalar === undefined || !(type in WORDS) || isOfType(scalar, type)) return;
  value.report({
    code: 'WORKFLOW.VALIDATION.SCHEMA',
    message: `${value.path}: expected ${WORDS[type]}, as \`type\` says; found ${found(scalar)}`,
    suggestion: () => (type === 'string' ? `put it in quotes: "${value.written() ?? scalar}"` : undefined),
  });
}
