import { setOwn, tryParse } from '../json/own.js';
import { coerceText, type SchemaAt } from '../schema/coerce.js';
import { itemSchema, memberSchema, propertyNames, typesOf } from '../schema/schema-types.js';
import type { Json, JsonObject } from '../types.js';
import { decodeXml, withoutSections } from './decode-xml.js';
import { readElements, type XmlElement } from './read-elements.js';

/** Values read out of elements. */
export interface ElementValues {
  readonly value: { readonly [key: string]: Json };
  readonly fixes: readonly string[];
  /** Whether an element that must be one is there twice. */
  readonly repeats: boolean;
  /** Text outside of the elements. */
  readonly rest: string;
}

const MAX_DEPTH = 32;

/** Reads a tag for each parameter; the schema says which of them are strings, whose markup is left as it is. */
export function bindElements(text: string, root: JsonObject | undefined, guess: boolean): ElementValues {
  const at: SchemaAt = { schema: root, root: root ?? {} };
  return members(text, at, { guess, depth: 0 });
}

interface How {
  /** Whether scalars that no schema describes are typed by their looks. */
  readonly guess: boolean;
  readonly depth: number;
}

function members(text: string, at: SchemaAt, how: How): ElementValues {
  const known = at.schema ? propertyNames(at.schema, at.root) : undefined;
  const isKnown = (name: string) => !known || known.size === 0 || known.has(name);
  const { elements, rest, fixes } = readElements(text, isKnown);
  const all = new Set(fixes);
  const grouped = new Map<string, XmlElement[]>();
  for (const element of elements) {
    // A bare tag that no parameter is named after is layout: <br/>.
    if (element.isBare && !isKnown(element.name)) continue;
    const group = grouped.get(element.name);
    if (group) group.push(element);
    else grouped.set(element.name, [element]);
  }
  const value: Record<string, Json> = {};
  let repeats = false;
  for (const [name, group] of grouped) {
    const schema = at.schema && memberSchema(at.schema, name, at.root);
    const bound = memberValue(group, { schema, root: at.root }, how);
    for (const fix of bound.fixes) all.add(fix);
    repeats ||= bound.repeats;
    setOwn(value, name, bound.value);
  }
  return { value, fixes: [...all], repeats, rest };
}

interface MemberValue {
  readonly value: Json;
  readonly fixes: readonly string[];
  readonly repeats: boolean;
}

/** A tag that is there several times is a list, unless the schema wants a single value. */
function memberValue(group: readonly XmlElement[], at: SchemaAt, how: How): MemberValue {
  const types = at.schema ? typesOf(at.schema, at.root) : undefined;
  const [first] = group;
  if (group.length === 1 && first) {
    const bound = elementValue(first.content, at, how);
    return opensAgain(first) ? { ...bound, repeats: true } : bound;
  }
  const isList = types?.has('array') ?? false;
  const item = isList && at.schema ? itemSchema(at.schema, at.root) : at.schema;
  const values = group.map(({ content }) => elementValue(content, { schema: item, root: at.root }, how));
  const isSingle = types !== undefined && types.size > 0 && !isList;
  return {
    value: isSingle ? (values.at(-1)?.value ?? null) : values.map(({ value }) => value),
    fixes: values.flatMap(({ fixes }) => fixes),
    repeats: !isList,
  };
}

/** Whether the element holds its own opening tag without the closing one: where it begins is then anybody's guess. */
function opensAgain({ name, content }: XmlElement): boolean {
  if (!content.includes(`<${name}>`)) return false;
  let depth = 0;
  for (const [tag] of withoutSections(content).matchAll(/<\/?[A-Za-z_][^>]{0,512}>/g)) {
    if (tag === `<${name}>`) depth += 1;
    else if (tag === `</${name}>`) depth -= 1;
  }
  return depth > 0;
}

function elementValue(content: string, at: SchemaAt, how: How): MemberValue {
  const types = at.schema ? typesOf(at.schema, at.root) : new Set<string>();
  const isString = types.has('string') && types.size === 1;
  const hasChildren =
    !isString && how.depth < MAX_DEPTH && /^\s*<[A-Za-z0-9_]/.test(content) && /<\//.test(content);
  if (hasChildren) return structure(content, at, { ...how, depth: how.depth + 1 });
  const text = decodeXml(content);
  if (types.size === 0) return { value: how.guess ? guessScalar(text) : text, fixes: [], repeats: false };
  const coerced = types.has('array') ? coerceList(text, at) : coerceText(text, at);
  return { ...coerced, repeats: false };
}

/** An element with elements inside: an array's items, or an object's members. */
function structure(content: string, at: SchemaAt, how: How): MemberValue {
  const types = at.schema ? typesOf(at.schema, at.root) : new Set<string>();
  const { elements, fixes } = readElements(content, () => true);
  const isListed = looksListed(elements);
  const isArray = types.size === 0 ? isListed : types.has('array') && (!types.has('object') || isListed);
  if (!isArray) return members(content, at, how);
  const item: SchemaAt = { schema: at.schema && itemSchema(at.schema, at.root), root: at.root };
  const itemTypes = item.schema ? typesOf(item.schema, at.root) : new Set<string>();
  if (!isListed && (itemTypes.size === 0 || itemTypes.has('object'))) {
    const one = members(content, item, how);
    return { ...one, value: [one.value] };
  }
  const values = elements.map((element) => elementValue(element.content, item, how));
  return {
    value: values.map(({ value }) => value),
    fixes: [...fixes, ...values.flatMap((one) => one.fixes)],
    repeats: values.some(({ repeats }) => repeats),
  };
}

/** `<item>`s, `<0>` and `<1>`, or several of one name. */
function looksListed(elements: readonly XmlElement[]): boolean {
  const names = new Set(elements.map(({ name }) => name));
  if (names.size === 1) return names.has('item') || elements.length > 1;
  return elements.length > 0 && elements.every(({ name }) => /^\d+$/.test(name));
}

/** An array as JSON, or as a list that commas or line breaks divide. */
function coerceList(text: string, at: SchemaAt): { readonly value: Json; readonly fixes: readonly string[] } {
  const coerced = coerceText(text, at);
  if (typeof coerced.value !== 'string' || text.trim() === '') return coerced;
  const schema = at.schema && itemSchema(at.schema, at.root);
  const parts = text.trim().split(/\s*[,\n]\s*/);
  return { value: parts.map((part) => coerceText(part, { schema, root: at.root }).value), fixes: [] };
}

/** `5` and `true` are what they look like, where nothing says that they are text. */
function guessScalar(text: string): Json {
  const trimmed = text.trim();
  if (/^(?:true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === 'true';
  if (!/^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?(?:[eE][-+]?\d{1,2})?$/.test(trimmed)) return text;
  const value = tryParse(trimmed);
  return typeof value === 'number' ? value : text;
}
