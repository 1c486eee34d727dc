import { MOST_LEVELS } from '../../domain/json.js';

/** What was found while walking arguments: how much there is of them, and what must not be in them. */
export interface PlainDataReport {
  readonly problem?: string;
  readonly values: number;
}

/**
 * Walks arguments before anything else reads them. Keys that reach a prototype, values that are no JSON and nesting
 * that would exhaust a stack are refused at any depth.
 */
export function inspectPlainData(value: unknown): PlainDataReport {
  const walk = { values: 0 };
  const problem = inspect(value, walk, 0);
  return problem === undefined ? walk : { problem, values: walk.values };
}

function inspect(value: unknown, walk: { values: number }, depth: number): string | undefined {
  walk.values++;
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : `the number ${value} is no JSON; give a finite one`;
    case 'object':
      return value === null ? undefined : inspectMembers(value, walk, depth);
    default:
      return `a value of type ${typeof value} is no JSON`;
  }
}

function inspectMembers(value: object, walk: { values: number }, depth: number): string | undefined {
  if (depth >= MOST_LEVELS) return `the arguments are nested more than ${MOST_LEVELS} levels deep`;
  const isArray = Array.isArray(value);
  if (!isArray && !isPlain(value)) return 'the arguments hold an object that is no plain data';
  for (const key of Object.keys(value)) {
    if (!isArray && isForbidden(key)) return `the key ${JSON.stringify(key)} is not allowed in arguments`;
    const problem = inspect((value as Record<string, unknown>)[key], walk, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function isForbidden(key: string): boolean {
  return key === '__proto__' || key === 'constructor' || key === 'prototype';
}

/** Told without naming `Object.prototype`, which differs from realm to realm. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** A copy that shares nothing with the original: what fills in defaults must not write into the model's message. */
export function copyPlainData<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copyPlainData) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, copyPlainData(member)]);
  return Object.fromEntries(entries) as T;
}
