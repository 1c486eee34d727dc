import { isObject, own, setOwn } from '../json/own.js';
import type { Json, JsonObject } from '../types.js';
import { branchesOf, memberSchema, propertyNames } from './schema-types.js';

const MAX_DEPTH = 32;
/** A repetition of a repetition: such a pattern may take for ever on the wrong key, so it is tried on short ones only. */
const ENDLESS = /[+*}]\)?[+*{]/;

/** Leaves out the members that the schema has no place for, and names them. The same value when there are none. */
export function pruneArguments(
  value: Json,
  root: JsonObject,
): { readonly value: Json; readonly dropped: readonly string[] } {
  const dropped: string[] = [];
  return { value: prune(value, { schema: root, root, path: '', depth: 0 }, dropped), dropped };
}

interface At {
  readonly schema: JsonObject;
  readonly root: JsonObject;
  readonly path: string;
  readonly depth: number;
}

function prune(value: Json, at: At, dropped: string[]): Json {
  if (!isObject(value) || at.depth > MAX_DEPTH) return value;
  const kept: Record<string, Json> = {};
  const before = dropped.length;
  for (const [key, member] of Object.entries(value)) {
    const path = at.path + key;
    if (!hasPlace(key, at)) {
      dropped.push(path);
      continue;
    }
    const schema = memberSchema(at.schema, key, at.root) ?? {};
    setOwn(kept, key, prune(member, { ...at, schema, path: `${path}.`, depth: at.depth + 1 }, dropped));
  }
  return dropped.length > before ? kept : value;
}

function hasPlace(key: string, { schema, root }: At): boolean {
  const schemas = [schema, ...branchesOf(schema, root)];
  const patterns = schemas.flatMap((one) => matching(one, key));
  if (patterns.includes(false)) return false;
  const isForbidden = schemas.some((one) => memberOf(one, 'properties', key) === false);
  if (isForbidden) return false;
  if (propertyNames(schema, root).has(key) || patterns.length > 0) return true;
  return schemas.every((one) => isOpen(one));
}

/** An object that says nothing of its members takes any; one that names some takes others only if it says so. */
function isOpen(schema: JsonObject): boolean {
  const additional = own(schema, 'additionalProperties');
  if (additional !== undefined) return additional !== false;
  return own(schema, 'properties') === undefined && own(schema, 'patternProperties') === undefined;
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
