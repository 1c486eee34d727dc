import { mendJson } from '../json/mend-json.js';
import { isObject, setOwn, tryParse } from '../json/own.js';
import { REPEATED_KEY, repeatsKey } from '../json/repeated-keys.js';
import { coerceJson, coerceText } from '../schema/coerce.js';
import { memberSchema } from '../schema/schema-types.js';
import type { Json, JsonObject, ToolSpec } from '../types.js';
import type { Draft, RawParameter } from './draft.js';
import type { Note } from './frame.js';

/** A draft's arguments as a JSON value, with what had to be done to get it. */
export interface Bound {
  readonly value: Json;
  readonly notes: readonly Note[];
  /** False when the text of the arguments ended too early. */
  readonly complete: boolean;
  /** Whether one of them is there twice, so that nobody knows which is meant. */
  readonly repeats?: boolean;
}

const NO_NOTES: readonly Note[] = [];
/** How often arguments may be wrapped in one string too many. */
const MAX_SURPLUS = 3;

/** Makes the arguments an object, if they can be one, and gives its members the types that the schema names. */
export function bindArguments(draft: Draft, tool: ToolSpec | undefined): Bound {
  const source = draft.arguments;
  if (source.kind === 'unreadable') return unreadable(source.text);
  if (source.kind === 'parameters') return bindParameters(source.list, tool?.parameters);
  const bound = decode(source.value, source.kind === 'encoded');
  return tool?.parameters ? coerce(bound, tool.parameters) : bound;
}

function bindParameters(list: readonly RawParameter[], root: JsonObject | undefined): Bound {
  const value: Record<string, Json> = {};
  const fixes = new Set<string>();
  let repeats = false;
  for (const { key, text } of list) {
    const schema = root && memberSchema(root, key, root);
    const coerced = coerceText(text, { schema, root: root ?? {} });
    for (const fix of coerced.fixes) fixes.add(fix);
    repeats ||= Object.hasOwn(value, key);
    setOwn(value, key, coerced.value);
  }
  return { value, notes: fixes.size > 0 ? [repairNote([...fixes])] : NO_NOTES, complete: true, repeats };
}

/** Nothing is no arguments; a string is JSON text, which some formats ask for and others get by mistake. */
function decode(value: Json | undefined, isEncoded: boolean): Bound {
  if (value === undefined || value === null) return noArguments();
  if (typeof value !== 'string') return { value, notes: NO_NOTES, complete: true };
  return value.trim() === '' ? noArguments() : decodeText(value, value, isEncoded ? 0 : 1);
}

/** `surplus` counts the strings around the JSON that should not be there. */
function decodeText(text: string, original: string, surplus: number): Bound {
  const parsed = tryParse(text);
  if (parsed === undefined) return mendArguments(text, original);
  if (parsed === null) return noArguments();
  if (typeof parsed === 'object')
    return { ...decoded(parsed, surplus === 0), repeats: repeatsKey(text, parsed) };
  if (typeof parsed === 'string' && surplus < MAX_SURPLUS) return decodeText(parsed, original, surplus + 1);
  return unreadable(original);
}

function noArguments(): Bound {
  return { value: {}, notes: NO_NOTES, complete: true };
}

function decoded(value: Json, isUsual: boolean): Bound {
  const note: Note = { code: 'arguments-stringified', message: 'The arguments were JSON inside a string.' };
  return { value, notes: isUsual ? NO_NOTES : [note], complete: true };
}

function mendArguments(text: string, original: string): Bound {
  const mended = /^\s*[{[]/.test(text) ? mendJson(text) : undefined;
  const isWhole = mended !== undefined && /^[\s}\])]*$/.test(text.slice(mended.end));
  if (!mended || !isWhole) return unreadable(original);
  const repeats = mended.fixes.includes(REPEATED_KEY);
  return {
    value: mended.value,
    notes: [repairNote(mended.fixes)],
    complete: mended.openDepth === 0,
    repeats,
  };
}

function unreadable(text: string): Bound {
  const note: Note = {
    code: 'arguments-unreadable',
    message: 'The arguments are no JSON object; they are passed on as the text that was written.',
  };
  return { value: text, notes: [note], complete: true };
}

function coerce(bound: Bound, root: JsonObject): Bound {
  if (!isObject(bound.value)) return bound;
  const value = coerceJson(bound.value, { schema: root, root });
  if (value === bound.value || !isObject(value)) return bound;
  const before = bound.value;
  const keys = Object.keys(value).filter((key) => value[key] !== before[key]);
  const message = `Text was read as the type that the schema names: ${keys.join(', ')}.`;
  return { ...bound, value, notes: [...bound.notes, { code: 'arguments-coerced', message }] };
}

/** What the mending of JSON consisted of. */
export function repairNote(fixes: readonly string[]): Note {
  return { code: 'json-repaired', message: `The JSON was mended: ${fixes.join(', ')}.` };
}
