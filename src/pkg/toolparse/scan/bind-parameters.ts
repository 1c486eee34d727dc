import { fixesOf, mendJson } from '../json/mend-json.js';
import { isObject, setOwn, tryParse } from '../json/own.js';
import { coerceText, type SchemaAt } from '../schema/coerce.js';
import { itemSchema, memberSchema, propertyNames, typesOf } from '../schema/schema-types.js';
import type { Json, JsonObject } from '../types.js';
import { bindElements } from '../xml/bind-elements.js';
import { type Bound, NO_NOTES, repairNote } from './bound.js';
import { characterData } from './character-data.js';
import type { RawParameter } from './draft.js';

/** Names under which models put all the arguments into one parameter. */
const WHOLE = new Set(['arguments', 'parameters', 'params', 'args', 'kwargs', 'input', 'properties']);

interface Value {
  readonly value: Json;
  readonly fixes: readonly string[];
}

/** Gives raw parameters the types that the schema names. */
export function bindParameters(list: readonly RawParameter[], root: JsonObject | undefined): Bound {
  const [only] = list;
  const whole = list.length === 1 && only && root ? unwrap(only, root) : undefined;
  if (whole) return whole;
  const groups = new Map<string, RawParameter[]>();
  for (const one of list) {
    const group = groups.get(one.key);
    if (group) group.push(one);
    else groups.set(one.key, [one]);
  }
  return bindGroups(groups, root);
}

function bindGroups(
  groups: ReadonlyMap<string, readonly RawParameter[]>,
  root: JsonObject | undefined,
): Bound {
  const value: Record<string, Json> = {};
  const fixes = new Set<string>();
  let repeats = false;
  for (const [key, group] of groups) {
    const at: SchemaAt = { schema: root && memberSchema(root, key, root), root: root ?? {} };
    const isList = group.length > 1 && at.schema !== undefined && typesOf(at.schema, at.root).has('array');
    const bound = group.length > 1 ? listValue(group, at, isList) : textValue(group[0], at);
    for (const fix of bound.fixes) fixes.add(fix);
    repeats ||= group.length > 1 && !isList;
    setOwn(value, key, bound.value);
  }
  return { value, notes: fixes.size > 0 ? [repairNote([...fixes])] : NO_NOTES, complete: true, repeats };
}

/** Several of one name are a list where the schema wants one, or says nothing; else the last one stands. */
function listValue(group: readonly RawParameter[], at: SchemaAt, isList: boolean): Value {
  const schema = isList && at.schema ? itemSchema(at.schema, at.root) : at.schema;
  const values = group.map((one) => textValue(one, { schema, root: at.root }));
  const last = values.at(-1)?.value ?? null;
  return {
    value: isList || at.schema === undefined ? values.map(({ value }) => listed(value, isList)) : last,
    fixes: values.flatMap(({ fixes }) => fixes),
  };
}

/** In a list that no schema describes, blanks around a word are layout. */
function listed(value: Json, isDescribed: boolean): Json {
  return typeof value === 'string' && !isDescribed ? value.trim() : value;
}

function textValue(parameter: RawParameter | undefined, at: SchemaAt): Value {
  if (!parameter) return { value: null, fixes: [] };
  const { text, nested, type } = parameter;
  const types = at.schema ? typesOf(at.schema, at.root) : new Set<string>();
  const isText = types.size === 1 && types.has('string');
  const isTagged = nested !== undefined && !isText && text.includes(`${nested}<`);
  if (isTagged) return nestedValue(text.split(nested).join(''), at);
  const raw = characterData(text);
  return types.size > 0 ? coerceText(raw, at) : { value: typedBy(type, raw), fixes: [] };
}

/** The tag's own word for the type counts where the schema has none: `string="false"`, `type="number"`. */
function typedBy(type: string | undefined, raw: string): Json {
  if (type === undefined || type === 'true' || type === 'string') return raw;
  return tryParse(raw.trim()) ?? raw;
}

function nestedValue(text: string, at: SchemaAt): Value {
  const wrapper = { type: 'object', properties: { value: at.schema ?? {} } } as JsonObject;
  const root = { ...at.root, ...wrapper } as JsonObject;
  const { value, fixes } = bindElements(`<value>${text}</value>`, root, false);
  return { value: value.value ?? null, fixes };
}

/** A single parameter that the tool does not have, and that holds an object: the arguments themselves. */
function unwrap({ key, text }: RawParameter, root: JsonObject): Bound | undefined {
  if (!WHOLE.has(key) || propertyNames(root, root).has(key)) return undefined;
  const parsed = tryParse(text);
  const mended = parsed === undefined && /^\s*\{/.test(text) ? mendJson(text) : undefined;
  const value = parsed ?? mended?.value;
  if (!isObject(value)) return undefined;
  const message = `All the arguments were inside one parameter, "${key}".`;
  const note = { code: 'arguments-stringified', message } as const;
  return { value, notes: mended ? [note, repairNote(fixesOf(mended, text))] : [note], complete: true };
}

/** Arguments without a name take those of the schema, in its order. */
export function bindCode(
  positional: readonly Json[],
  named: { readonly [key: string]: Json },
  root: JsonObject | undefined,
): Bound {
  if (positional.length === 0) return { value: named, notes: NO_NOTES, complete: true };
  const names = root ? [...propertyNames(root, root)] : [];
  const value: Record<string, Json> = { ...named };
  const isPlaced = positional.length <= names.length;
  for (const [index, one] of positional.entries()) {
    const key = names[index];
    if (!isPlaced || key === undefined || Object.hasOwn(named, key)) return unplaced(positional, named);
    setOwn(value, key, one);
  }
  return { value, notes: [repairNote(['arguments without a name'])], complete: true };
}

function unplaced(positional: readonly Json[], named: { readonly [key: string]: Json }): Bound {
  const message = 'The call has arguments without a name, and no schema says which they are.';
  const note = { code: 'arguments-unreadable', message } as const;
  return { value: { ...named, arguments: positional }, notes: [note], complete: true, isUnclear: true };
}
