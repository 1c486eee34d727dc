import { isObject, setOwn } from '../json/own.js';
import { propertyNames } from '../schema/schema-types.js';
import type { Json, JsonObject } from '../types.js';
import { type Bound, repairNote, unclear } from './bound.js';

/** Members that say something of the call itself; they are arguments only where the schema names them. */
const OF_THE_CALL = new Set(['type', 'index', 'id', 'call_id', 'tool_call_id']);

/** Arguments that stand beside the tool's name in place of under a key of their own; undefined when there are none. */
export function bindBeside(beside: JsonObject, root: JsonObject | undefined): Bound | undefined {
  const declared = root ? propertyNames(root, root) : new Set<string>();
  const value: Record<string, Json> = {};
  const strangers: string[] = [];
  for (const [key, member] of Object.entries(beside)) {
    if (declared.has(key)) setOwn(value, key, member);
    else if (!OF_THE_CALL.has(key)) strangers.push(key);
  }
  if (strangers.length > 0) return unclear(value, besideMessage(strangers));
  if (Object.keys(value).length === 0) return undefined;
  return { value, notes: [repairNote(['arguments beside the name'])], complete: true };
}

/** The same for a call that has arguments: a parameter beside them was left out of them. */
export function checkBeside(bound: Bound, beside: JsonObject, root: JsonObject | undefined): Bound {
  const { value } = bound;
  if (!root || !isObject(value)) return bound;
  const declared = propertyNames(root, root);
  const lost = Object.keys(beside).filter(
    (key) => declared.has(key) && !OF_THE_CALL.has(key) && !Object.hasOwn(value, key),
  );
  if (lost.length === 0) return bound;
  const { notes } = unclear(value, besideMessage(lost));
  return { ...bound, notes: [...bound.notes, ...notes], isUnclear: true };
}

function besideMessage(keys: readonly string[]): string {
  return `What stands beside the tool's name may be arguments, and was not taken for such: ${keys.join(', ')}.`;
}
