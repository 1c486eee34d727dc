import { isObject, own } from '../json/own.js';
import type { Json, JsonObject } from '../types.js';

/** Names that stand in schemas although JSON Schema does not know them. */
const ALIASES: Readonly<Record<string, string>> = {
  int: 'integer',
  float: 'number',
  double: 'number',
  bool: 'boolean',
  str: 'string',
  text: 'string',
  dict: 'object',
  list: 'array',
  tuple: 'array',
};
/** A bound on work as much as on depth: a schema that refers to itself in several branches doubles at each step. */
const MAX_REFERENCES = 6;

/** The types a value may have, over all branches; empty when the schema does not say. */
export function typesOf(schema: JsonObject, root: JsonObject, depth = 0): ReadonlySet<string> {
  const types = new Set<string>();
  if (depth > MAX_REFERENCES) return types;
  addDeclaredTypes(schema, types);
  for (const branch of branchesOf(schema, root)) {
    for (const type of typesOf(branch, root, depth + 1)) types.add(type);
  }
  if (types.size > 0 && own(schema, 'nullable') === true) types.add('null');
  return types;
}

/** The schemas that stand for this one: what it refers to, and its alternatives. */
export function branchesOf(schema: JsonObject, root: JsonObject): readonly JsonObject[] {
  const branches: Json[] = [];
  const reference = own(schema, '$ref');
  if (typeof reference === 'string') branches.push(resolveReference(reference, root) ?? {});
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    const list = own(schema, key);
    if (Array.isArray(list)) branches.push(...list);
  }
  return branches.filter(isObject);
}

/** The schema of an object's member, looked up through references and alternatives. */
export function memberSchema(
  schema: JsonObject,
  key: string,
  root: JsonObject,
  depth = 0,
): JsonObject | undefined {
  const properties = own(schema, 'properties');
  const member = isObject(properties) ? own(properties, key) : undefined;
  if (isObject(member)) return member;
  if (depth > MAX_REFERENCES) return undefined;
  for (const branch of branchesOf(schema, root)) {
    const found = memberSchema(branch, key, root, depth + 1);
    if (found) return found;
  }
  const additional = own(schema, 'additionalProperties');
  return isObject(additional) ? additional : undefined;
}

/** The names of an object's members that the schema describes, over all branches, in its order. */
export function propertyNames(schema: JsonObject, root: JsonObject, depth = 0): ReadonlySet<string> {
  const properties = own(schema, 'properties');
  const names = new Set(isObject(properties) ? Object.keys(properties) : []);
  if (depth > MAX_REFERENCES) return names;
  for (const branch of branchesOf(schema, root)) {
    for (const name of propertyNames(branch, root, depth + 1)) names.add(name);
  }
  return names;
}

/** The names that an object must have. */
export function requiredNames(schema: JsonObject): readonly string[] {
  const required = own(schema, 'required');
  return Array.isArray(required) ? required.filter((name): name is string => typeof name === 'string') : [];
}

/** The schema of an array's items. */
export function itemSchema(schema: JsonObject, root: JsonObject, depth = 0): JsonObject | undefined {
  const items = own(schema, 'items');
  if (isObject(items)) return items;
  if (depth > MAX_REFERENCES) return undefined;
  for (const branch of branchesOf(schema, root)) {
    const found = itemSchema(branch, root, depth + 1);
    if (found) return found;
  }
  return undefined;
}

function addDeclaredTypes(schema: JsonObject, types: Set<string>): void {
  const declared = own(schema, 'type');
  const list = Array.isArray(declared) ? declared : [declared];
  for (const type of list) {
    if (typeof type === 'string') types.add(normaliseType(type));
  }
  if (types.size > 0) return;
  const values = own(schema, 'enum');
  if (Array.isArray(values)) for (const value of values) types.add(typeOf(value));
  const constant = own(schema, 'const');
  if (constant !== undefined) types.add(typeOf(constant));
}

function normaliseType(type: string): string {
  const lower = type.toLowerCase();
  return Object.hasOwn(ALIASES, lower) ? (ALIASES[lower] ?? lower) : lower;
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function resolveReference(reference: string, root: JsonObject): JsonObject | undefined {
  if (!reference.startsWith('#')) return undefined;
  let target: Json | undefined = root;
  for (const part of reference.slice(1).split('/').filter(Boolean)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    target = isObject(target) ? own(target, key) : undefined;
  }
  return isObject(target) ? target : undefined;
}
