import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.js';
import { REDACTED } from '../../../domain/secret-shapes.js';
import { isSameText } from './same-text.js';

/** How far a trail can be held to what this version would write. */
export interface Comparison {
  readonly hasSecrets: boolean;
  /** Another version wrote it, whose lines may have had other fields: only those that both have, and that matter. */
  readonly isForeign: boolean;
}

/** What a person is held to, whichever version wrote it down. */
const LASTING_FIELDS = [
  ...['call_id', 'tool', 'arguments', 'status', 'approval', 'plan_hash'],
  ...['decision', 'scope', 'source', 'by'],
];
/** Told by the clock where it was written; compared as the moment that it is. */
const NOT_COMPARED: ReadonlySet<string> = new Set(['timestamp']);

/** Where a line says another thing than it should, as a path; undefined where it does not. */
export function differenceBetween(
  actual: JsonObject,
  expected: JsonObject,
  comparison: Comparison,
): string | undefined {
  if (comparison.isForeign) return foreignDifference(actual, expected, comparison);
  const names = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  return firstOf([...names], (name) =>
    NOT_COMPARED.has(name) ? undefined : difference(actual[name], expected[name], [name], comparison),
  );
}

function foreignDifference(
  actual: JsonObject,
  expected: JsonObject,
  comparison: Comparison,
): string | undefined {
  if (actual.event !== expected.event) return undefined;
  const shared = LASTING_FIELDS.filter((name) => name in actual && name in expected);
  const field = firstOf(shared, (name) => difference(actual[name], expected[name], [name], comparison));
  return field ?? (codeOf(actual) === codeOf(expected) ? undefined : 'error.code');
}

function codeOf({ error }: JsonObject): Json | undefined {
  return isJsonObject(error) ? error.code : undefined;
}

type Path = readonly (string | number)[];

function difference(
  actual: Json | undefined,
  expected: Json | undefined,
  path: Path,
  comparison: Comparison,
): string | undefined {
  if (isJsonObject(actual) && isJsonObject(expected)) {
    return memberDifference(Object.entries(actual), Object.entries(expected), path, comparison);
  }
  if (Array.isArray(actual) && Array.isArray(expected)) {
    return memberDifference([...actual.entries()], [...expected.entries()], path, comparison);
  }
  return isSameValue(actual, expected, comparison) ? undefined : path.join('.');
}

function isSameValue(
  actual: Json | undefined,
  expected: Json | undefined,
  { hasSecrets }: Comparison,
): boolean {
  if (typeof actual !== 'string') return actual === expected;
  // A number that is a secret is hidden as text.
  if (typeof expected === 'number')
    return actual === REDACTED && isSameText(actual, `${expected}`, hasSecrets);
  return typeof expected === 'string' && isSameText(actual, expected, hasSecrets);
}

type Members = readonly (readonly [string | number, Json])[];

/** By their place: a name may be hidden, too. */
function memberDifference(
  actual: Members,
  expected: Members,
  path: Path,
  comparison: Comparison,
): string | undefined {
  if (actual.length !== expected.length) return path.join('.');
  return firstOf([...actual.entries()], ([index, [name, value]]) => {
    const [expectedName, expectedValue] = expected[index] ?? ['', null];
    const inside = [...path, expectedName];
    if (!isSameText(String(name), String(expectedName), comparison.hasSecrets)) return inside.join('.');
    return difference(value, expectedValue, inside, comparison);
  });
}

function firstOf<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
