import { fixesOf, mendJson } from '../json/mend-json.js';
import { isObject, tryParse } from '../json/own.js';
import { REPEATED_KEY, repeatsKey } from '../json/repeated-keys.js';
import { coerceJson } from '../schema/coerce.js';
import type { Json, JsonObject, ToolSpec } from '../types.js';
import { bindBeside, checkBeside } from './bind-beside.js';
import { bindElement } from './bind-element.js';
import { bindInput } from './bind-input.js';
import { bindCode, bindParameters } from './bind-parameters.js';
import { type Bound, NO_NOTES, repairNote } from './bound.js';
import type { Draft, JsonArguments } from './draft.js';
import type { Note } from './frame.js';

/** How often arguments may be wrapped in one string too many. */
const MAX_SURPLUS = 3;

/** Makes the arguments an object, if they can be one, and gives its members the types that the schema names. */
export function bindArguments(draft: Draft, tool: ToolSpec | undefined): Bound {
  const source = draft.arguments;
  const root = tool?.parameters;
  if (source.kind === 'unreadable') return unreadable(source.text);
  if (source.kind === 'parameters') return bindParameters(source.list, root);
  if (source.kind === 'plain') return bindInput(source, root);
  if (source.kind === 'element')
    return bindElement(source, root) ?? { ...unreadable(source.text), isNoCall: true };
  const bound =
    source.kind === 'code' ? bindCode(source.positional, source.named, root) : bindJson(source, root);
  // The string around them was closed, so they were not cut off: mending made something of them that nobody wrote.
  if (source.kind === 'json' && draft.complete && !bound.complete) return unreadable(String(source.value));
  return root ? coerce(bound, root) : bound;
}

function bindJson({ kind, value, beside }: JsonArguments, root: JsonObject | undefined): Bound {
  const besides = beside && value === undefined ? bindBeside(beside, root) : undefined;
  if (besides) return besides;
  const bound = decode(value, kind === 'encoded');
  return beside && value !== undefined ? checkBeside(bound, beside, root) : bound;
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
    notes: [repairNote(fixesOf(mended, text))],
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
