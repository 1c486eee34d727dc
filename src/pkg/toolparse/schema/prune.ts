import { isObject, own, setOwn } from '../json/own.js';
import type { Json, JsonObject } from '../types.js';
import { branchesOf, memberSchema, propertyNames, requiredNames } from './schema-types.js';

const MAX_DEPTH = 32;
/** A repetition of a repetition: such a pattern may take for ever on the wrong key, so it is tried on short ones only. */
const ENDLESS = /[+*}]\)?[+*{]/;

/**
 * Leaves out members and names them: those that the schema forbids, or all that it has no place for. The same value when
 * there are none.
 */
export function pruneArguments(
  value: Json,
  root: JsonObject,
  what: 'forbidden' | 'undeclared',
): { readonly value: Json; readonly dropped: readonly string[] } {
  const dropped: string[] = [];
  return { value: prune(value, { schema: root, root, what, path: '', depth: 0 }, dropped), dropped };
}

interface At {
  readonly schema: JsonObject;
  readonly root: JsonObject;
  readonly what: 'forbidden' | 'undeclared';
  readonly path: string;
  readonly depth: number;
}

function prune(value: Json, at: At, dropped: string[]): Json {
  if (!isObject(value) || at.depth > MAX_DEPTH) return value;
  const kept: Record<string, Json> = {};
  const before = dropped.length;
  const schemas = schemasFor(value, at);
  for (const [key, member] of Object.entries(value)) {
    const path = at.path + key;
    if (!hasPlace(key, schemas, at)) {
      dropped.push(path);
      continue;
    }
    const schema = memberSchema(at.schema, key, at.root) ?? {};
    setOwn(kept, key, prune(member, { ...at, schema, path: `${path}.`, depth: at.depth + 1 }, dropped));
  }
  return dropped.length > before ? kept : value;
}

/** The schema and its branches; only the one that the value fits, if it fits just one of several. */
function schemasFor(value: JsonObject, { schema, root }: At): readonly JsonObject[] {
  const branches = branchesOf(schema, root);
  const alternatives = [own(schema, 'oneOf'), own(schema, 'anyOf')].flatMap((list) =>
    Array.isArray(list) ? list.filter(isObject) : [],
  );
  const fitting = alternatives.filter((branch) => fits(value, branch));
  if (fitting.length !== 1) return [schema, ...branches];
  return [schema, ...branches.filter((one) => fitting.includes(one) || !alternatives.includes(one))];
}

/** Whether the value has what the branch requires, and the constants that tell it from others. */
function fits(value: JsonObject, branch: JsonObject): boolean {
  const properties = own(branch, 'properties');
  const named = isObject(properties) ? Object.entries(properties) : [];
  return (
    requiredNames(branch).every((name) => Object.hasOwn(value, name)) &&
    named.every(([name, member]) => !Object.hasOwn(value, name) || allows(member, value[name]))
  );
}

function allows(member: Json, value: Json | undefined): boolean {
  if (!isObject(member)) return member !== false;
  const choices =
    own(member, 'enum') ?? (Object.hasOwn(member, 'const') ? [own(member, 'const')] : undefined);
  return !Array.isArray(choices) || choices.includes(value);
}

function hasPlace(key: string, schemas: readonly JsonObject[], { root, what }: At): boolean {
  const patterns = schemas.flatMap((one) => matching(one, key));
  if (patterns.includes(false)) return false;
  const isForbidden = schemas.some((one) => memberOf(one, 'properties', key) === false);
  if (isForbidden) return false;
  const [{ properties = {} } = {}, ...branches] = schemas;
  const isNamed =
    (isObject(properties) && Object.hasOwn(properties, key)) ||
    branches.some((branch) => propertyNames(branch, root).has(key));
  if (isNamed || patterns.length > 0) return true;
  return schemas.every((one) => isOpen(one, what));
}

/**
 * Others are forbidden by a schema that says so, or that has only patterns for its members; one that names some has no
 * place for others unless it says so.
 */
function isOpen(schema: JsonObject, what: At['what']): boolean {
  const additional = own(schema, 'additionalProperties');
  if (additional !== undefined) return additional !== false;
  if (own(schema, 'properties') !== undefined) return what === 'forbidden';
  return own(schema, 'patternProperties') === undefined;
}

function memberOf(schema: JsonObject, list: string, key: string): Json | undefined {
  const members = own(schema, list);
  return isObject(members) ? own(members, key) : undefined;
}

/** The schemas of the patterns that the key fits; one that cannot be tried fits if it forbids. */
function matching(schema: JsonObject, key: string): readonly Json[] {
  const patterns = own(schema, 'patternProperties');
  if (!isObject(patterns)) return [];
  return Object.entries(patterns).flatMap(([pattern, member]) => {
    const longest = ENDLESS.test(pattern) ? 12 : 256;
    const fits = key.length > longest ? member === false : fitsPattern(pattern, key);
    return fits ? [member] : [];
  });
}

function fitsPattern(pattern: string, key: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(key);
  } catch {
    return false;
  }
}
