import { setOwn } from '../json/own.js';
import { coerceText } from '../schema/coerce.js';
import { memberSchema, requiredNames } from '../schema/schema-types.js';
import type { Json, JsonObject } from '../types.js';
import { textParameter } from './bind-element.js';
import { type Bound, NO_NOTES, repairNote, unclear } from './bound.js';
import type { PlainArguments } from './draft.js';

const NOTHING = /^(?:none|null|n\/a|)$/i;
const NO_PLACE = 'The input is plain text, and no single parameter of the tool takes it.';
const NO_END = 'The input has several lines, and nothing says where it ends.';

/** Plain text that a mark has made a tool's input: the value of its only required parameter, or of its only one. */
export function bindInput({ text, isOpen }: PlainArguments, root: JsonObject | undefined): Bound {
  const isNothing = NOTHING.test(text);
  if (isNothing && requiredNames(root ?? {}).length === 0)
    return { value: {}, notes: NO_NOTES, complete: true };
  const key = root && !isNothing ? textParameter(root) : undefined;
  if (!root || key === undefined) return unclear(text, NO_PLACE);
  const value: Record<string, Json> = {};
  setOwn(value, key, coerceText(text, { schema: memberSchema(root, key, root), root }).value);
  if (isOpen) return unclear(value, NO_END);
  return { value, notes: [repairNote([`text read as the parameter "${key}"`])], complete: true };
}
