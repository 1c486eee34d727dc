import { isObject, own, setOwn } from '../json/own.js';
import type { Json, JsonObject } from '../types.js';
import { type PathStep, parseJsonPath } from './json-path.js';
import { PartialJson } from './partial-json.js';

interface Leaf {
  readonly steps: readonly PathStep[];
  value: Json;
  /** Strings come in pieces. */
  readonly pieces: string[];
}

const VALUES = ['stringValue', 'numberValue', 'boolValue', 'nullValue', 'structValue', 'listValue'] as const;

/** Arguments that come one value at a time, each with the path to its place, and strings in pieces. */
export class PartialArguments {
  readonly #leaves = new Map<string, Leaf>();
  readonly #json = new PartialJson();
  /** Set when two parts claim the same place, or a part has none. */
  isDoubtful = false;

  get isEmpty(): boolean {
    return this.#leaves.size === 0;
  }

  /** Takes one part, and returns what it adds to the arguments as JSON text. */
  add(part: JsonObject): string {
    const path = own(part, 'jsonPath');
    const known = typeof path === 'string' ? this.#leaves.get(path) : undefined;
    const value = partValue(part);
    if (known) return this.#goOn(known, value);
    const steps = typeof path === 'string' ? parseJsonPath(path) : undefined;
    if (typeof path !== 'string' || !steps || value === undefined) {
      this.isDoubtful ||= value !== undefined;
      return '';
    }
    const leaf: Leaf = { steps, value, pieces: typeof value === 'string' ? [value] : [] };
    this.#leaves.set(path, leaf);
    return this.#json.open(steps, value);
  }

  /** Ends the JSON text. */
  close(): string {
    return this.#json.close();
  }

  build(): Json {
    const root: Record<string, Json> = {};
    for (const { steps, value, pieces } of this.#leaves.values()) {
      const isPlaced = place(root, steps, typeof value === 'string' ? pieces.join('') : value);
      this.isDoubtful ||= !isPlaced;
    }
    return root;
  }

  #goOn(leaf: Leaf, value: Json | undefined): string {
    if (value === undefined) return '';
    if (typeof value !== 'string' || typeof leaf.value !== 'string') {
      this.isDoubtful ||= JSON.stringify(value) !== JSON.stringify(leaf.value);
      return '';
    }
    leaf.pieces.push(value);
    return this.#json.goOn(leaf.steps, value);
  }
}

function partValue(part: JsonObject): Json | undefined {
  const key = VALUES.find((candidate) => Object.hasOwn(part, candidate));
  if (key === undefined) return undefined;
  return key === 'nullValue' ? null : own(part, key);
}

/** Puts a value at its place, making what is missing on the way; false when something else is there. */
function place(root: Container, steps: readonly PathStep[], value: Json): boolean {
  let target: Container | undefined = root;
  for (const [depth, step] of steps.slice(0, -1).entries()) {
    target = target && enter(target, step, steps[depth + 1]);
  }
  const last = steps.at(-1);
  if (!target || last === undefined || !fits(target, last) || child(target, last) !== undefined) return false;
  put(target, last, value);
  return true;
}

function enter(target: Container, step: PathStep, next: PathStep | undefined): Container | undefined {
  if (!fits(target, step)) return undefined;
  const existing = child(target, step);
  if (typeof existing === 'object' && existing !== null) return existing as Container;
  if (existing !== undefined) return undefined;
  const made: Container = typeof next === 'number' ? [] : {};
  put(target, step, made);
  return made;
}

type Container = Json[] | Record<string, Json>;

/** An array takes indices, without gaps; an object takes names. */
function fits(target: Container, step: PathStep): boolean {
  return Array.isArray(target) ? typeof step === 'number' && step <= target.length : typeof step === 'string';
}

function child(target: Container, step: PathStep): Json | undefined {
  if (Array.isArray(target)) return typeof step === 'number' ? target[step] : undefined;
  return isObject(target) ? own(target, String(step)) : undefined;
}

function put(target: Container, step: PathStep, value: Json): void {
  if (Array.isArray(target)) target[Number(step)] = value;
  else setOwn(target, String(step), value);
}
