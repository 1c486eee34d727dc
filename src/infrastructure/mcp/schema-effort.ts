import { isJsonObject, type Json, type JsonObject } from '../../domain/json.js';
import { schemasIn } from './schema-places.js';

const MAX_STEPS = 20_000;
const MAX_DEPTH = 100;
/** Steps that can lead to a value which others lead to as well. */
const OVERLAPPING = /\/!(?:patternProperties|contains)/;

/**
 * Why a stranger's schema would take too long to check a value by, if it would: a few lines of references to references
 * come to more steps than there is time for, and one that meets itself twice at one place doubles at every level.
 */
export function tooMuchEffort(schema: JsonObject): string | undefined {
  try {
    new EffortWalk(schema).visit(schema, { path: '', depth: 0, referred: [] });
    return undefined;
  } catch (error) {
    if (error instanceof TooMuch) return error.message;
    throw error;
  }
}

class TooMuch extends Error {}

interface Place {
  readonly path: string;
  readonly depth: number;
  /** The references that led here. */
  readonly referred: readonly string[];
}

class EffortWalk {
  readonly #meetings = new Set<string>();
  #steps = 0;

  constructor(private readonly root: JsonObject) {}

  visit(schema: JsonObject, place: Place): void {
    const { path, depth, referred } = place;
    this.#steps += 1;
    if (this.#steps > MAX_STEPS) throw new TooMuch(`comes to more than ${MAX_STEPS} parts`);
    if (depth > MAX_DEPTH) throw new TooMuch(`is nested more than ${MAX_DEPTH} levels deep`);
    for (const inner of schemasIn(schema)) {
      this.visit(inner.schema, { path: path + inner.step, depth: depth + 1, referred });
    }
    this.#follow(schema, place);
  }

  #follow(schema: JsonObject, { path, depth, referred }: Place): void {
    if (schema.$dynamicRef !== undefined || schema.$recursiveRef !== undefined) {
      throw new TooMuch('has references that are found only when a value is there');
    }
    const { $ref: reference } = schema;
    if (typeof reference !== 'string') return;
    const target = reference === '#' ? this.root : pointedAt(this.root, reference);
    if (referred.includes(reference)) this.#meet(reference, path);
    // One that leads nowhere is found by whoever compiles it.
    else if (target) this.visit(target, { path, depth: depth + 1, referred: [...referred, reference] });
  }

  #meet(reference: string, path: string): void {
    const meeting = `${reference} at ${path}`;
    if (this.#meetings.has(meeting) || OVERLAPPING.test(path))
      throw new TooMuch('meets itself twice at one place');
    this.#meetings.add(meeting);
  }
}

function pointedAt(root: JsonObject, reference: string): JsonObject | undefined {
  if (!reference.startsWith('#/')) return undefined;
  const names = reference.slice(2).split('/');
  let at: Json | undefined = root;
  for (const name of names.map((one) => unescaped(one).replaceAll('~1', '/').replaceAll('~0', '~'))) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as JsonObject)[name];
  }
  return isJsonObject(at) ? at : undefined;
}

function unescaped(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
