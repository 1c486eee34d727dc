import { isObject, own, tryParse } from '../json/own.js';
import { propertyNames, requiredNames, typesOf } from '../schema/schema-types.js';
import type { Json, JsonObject } from '../types.js';
import type { Bound } from './bound.js';
import type { Draft } from './draft.js';

/** Why no tool should get these arguments, whatever it does with them; undefined when nothing speaks against it. */
export function whyUnusable(draft: Draft, bound: Bound, root: JsonObject | undefined): string | undefined {
  const key = prototypeKey(bound.value, root);
  if (key !== undefined) return `has an argument "${key}", which reaches into the prototype of objects`;
  if (root && !isForObject(draft, bound.value, root)) return 'gives no object as arguments';
  if (draft.goesOn) return 'goes on behind its last bracket, so that these may not be all of its arguments';
  // A tag that is named after a tool is a guess at a call, which has to be clear in itself.
  if (draft.arguments.kind === 'element' && bound.repeats) return 'gives a parameter twice';
  return undefined;
}

/** The key through which a careless merge of the arguments would change every object. */
function prototypeKey(value: Json, root: JsonObject | undefined): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const declared = root ? propertyNames(root, root) : new Set<string>();
  const [top] = ['constructor', 'prototype'].filter(
    (key) => isObject(value) && !declared.has(key) && holdsObject(own(value, key)),
  );
  return top ?? prototypeKeyWithin(value);
}

/** A tag's text counts as the object that it is written as. */
function holdsObject(value: Json | undefined): boolean {
  return isObject(value) || (typeof value === 'string' && isObject(tryParse(value)));
}

/** Without recursion, for a model may nest as deep as it likes. */
function prototypeKeyWithin(value: object): string | undefined {
  const waiting: object[] = [value];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (Object.hasOwn(next, '__proto__')) return '__proto__';
    if (holdsMaker(next)) return 'constructor';
    for (const member of Object.values(next)) {
      if (typeof member === 'object' && member !== null) waiting.push(member);
    }
  }
  return undefined;
}

function holdsMaker(value: object): boolean {
  const maker = isObject(value) ? own(value, 'constructor') : undefined;
  return isObject(maker) && Object.hasOwn(maker, 'prototype');
}

/** Whether a tool that takes an object gets one; null is none where something is required. */
function isForObject({ arguments: source }: Draft, value: Json, root: JsonObject): boolean {
  const types = typesOf(root, root);
  const isWanted = types.has('object') || (types.size === 0 && propertyNames(root, root).size > 0);
  if (!isWanted || (types.size > 1 && Array.isArray(value) && types.has('array'))) return true;
  if (Array.isArray(value)) return false;
  if (source.kind === 'json' && typeof value !== 'object') return isOneOf(value, types);
  const isNull = source.kind === 'json' && source.value === null;
  return !isNull || requiredNames(root).length === 0 || types.has('null');
}

function isOneOf(value: string | number | boolean, types: ReadonlySet<string>): boolean {
  return types.has(typeof value) || (typeof value === 'number' && types.has('integer'));
}
