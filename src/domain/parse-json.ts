import type { Json } from './json.js';

/** Deeper values would overflow the stack of whoever walks them later: the journal, the validator. */
const DEEPEST = 200;

/** The value of a model's JSON text; nothing if it is broken, or nested as no sane value is. */
export function parseJson(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isTooDeep(value, DEEPEST) ? undefined : value;
  } catch {
    return undefined;
  }
}

function isTooDeep(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const member of Object.values(value)) if (isTooDeep(member, levels - 1)) return true;
  return false;
}
