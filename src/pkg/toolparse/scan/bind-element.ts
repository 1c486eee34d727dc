import { fixesOf, mendJson } from '../json/mend-json.js';
import { isObject, setOwn, tryParse } from '../json/own.js';
import { coerceJson, coerceText } from '../schema/coerce.js';
import { memberSchema, propertyNames, requiredNames, typesOf } from '../schema/schema-types.js';
import type { Json, JsonObject } from '../types.js';
import { bindElements } from '../xml/bind-elements.js';
import { readAttributes, visibleText } from '../xml/decode-xml.js';
import { readYaml } from '../yaml/yaml-reader.js';
import { type Bound, NO_NOTES, repairNote } from './bound.js';
import type { ElementArguments } from './draft.js';

/** Parameters that hold words; prose in place of a command must never become one. */
const TEXT_NAMES = /^(?:message|text|content|body|query|question|prompt|answer|note|thought|input)$/i;

/** The arguments inside a tag that is named after a tool; undefined when there is no telling. */
export function bindElement(source: ElementArguments, root: JsonObject | undefined): Bound | undefined {
  const { text, content, attributes } = source;
  if (content === 'yaml') return bindYaml(text.trim() === '' ? attributes : text, root);
  const trimmed = text.trim();
  if (trimmed === '') return bindAttributes(readAttributes(attributes), root);
  if (trimmed.startsWith('{')) return bindJson(trimmed, root) ?? bindPlain(text, root);
  return bindTags(text, root);
}

function bindTags(text: string, root: JsonObject | undefined): Bound | undefined {
  const { value, fixes, repeats, rest } = bindElements(text, root, true);
  const bound = { value, notes: fixes.length > 0 ? [repairNote(fixes)] : NO_NOTES, complete: true, repeats };
  const isProse = rest.trim() !== '' && rest.trim() !== '/';
  if (!isProse) return bound;
  if (/^\s*\[/.test(text)) return undefined;
  const plain = bindPlain(text, root);
  if (plain) return plain;
  return Object.keys(value).length === 0 ? lost() : bound;
}

function bindAttributes(
  given: readonly { readonly key: string; readonly text: string }[],
  root: JsonObject | undefined,
): Bound {
  const value: Record<string, Json> = {};
  for (const { key, text } of given) {
    const schema = root && memberSchema(root, key, root);
    setOwn(value, key, coerceText(text, { schema, root: root ?? {} }).value);
  }
  return { value, notes: NO_NOTES, complete: true };
}

function bindYaml(text: string, root: JsonObject | undefined): Bound | undefined {
  const yaml = readYaml(text);
  if (!yaml) return bindRawLines(text, root);
  if (!isObject(yaml.value)) return undefined;
  const value = root ? coerceJson(yaml.value, { schema: root, root }) : yaml.value;
  return { value, notes: NO_NOTES, complete: true, repeats: yaml.repeats };
}

/** Text that is no YAML but begins its lines with the parameters' names: each value is what stands up to the next. */
function bindRawLines(text: string, root: JsonObject | undefined): Bound | undefined {
  const names = root ? propertyNames(root, root) : new Set<string>();
  const groups: { key: string; lines: string[] }[] = [];
  for (const line of text.replace(/^\r?\n/, '').split('\n')) {
    const [, key = '', rest = ''] = /^([\w-]{1,64}):(?: |$)(.*)$/s.exec(line) ?? [];
    if (names.has(key)) groups.push({ key, lines: [rest] });
    else groups.at(-1)?.lines.push(line);
  }
  if (!root || groups.length === 0 || groups.some(({ lines }) => /^[[{]/.test(lines[0] ?? '')))
    return undefined;
  const list = groups.map(({ key, lines }) => ({
    key,
    text: lines.length > 1 ? lines.join('\n') : (lines[0] ?? ''),
  }));
  return { ...bindAttributes(list, root), notes: [repairNote(['lines that are no YAML'])] };
}

function bindJson(text: string, root: JsonObject | undefined): Bound | undefined {
  const parsed = tryParse(text);
  const mended = parsed === undefined ? mendJson(text) : undefined;
  const value = parsed ?? mended?.value;
  if (!isObject(value)) return undefined;
  const coerced = root ? coerceJson(value, { schema: root, root }) : value;
  return { value: coerced, notes: mended ? [repairNote(fixesOf(mended, text))] : NO_NOTES, complete: true };
}

/** Prose where parameters should be: the call stands, but nobody knows what it wants. */
function lost(): Bound {
  const message = 'The call holds text that is no parameter.';
  return { value: {}, notes: [{ code: 'arguments-unreadable', message }], complete: true, isUnclear: true };
}

/** Plain text is the value of the only parameter that can hold words. */
function bindPlain(text: string, root: JsonObject | undefined): Bound | undefined {
  const key = root && textParameter(root, TEXT_NAMES);
  const plain = visibleText(text).trim();
  if (!root || key === undefined || plain === '') return undefined;
  const value: Record<string, Json> = {};
  setOwn(value, key, coerceText(plain, { schema: memberSchema(root, key, root), root }).value);
  return { value, notes: [repairNote([`text read as the parameter "${key}"`])], complete: true };
}

/** The required parameter if there is just one, else the only one with such a name; undefined unless it holds text. */
export function textParameter(root: JsonObject, names = /./): string | undefined {
  const isText = (name: string) => {
    const types = typesOf(memberSchema(root, name, root) ?? {}, root);
    return names.test(name) && (types.size === 0 || types.has('string'));
  };
  const required = requiredNames(root);
  if (required.length > 1) return undefined;
  const found = (required.length === 1 ? required : [...propertyNames(root, root)]).filter(isText);
  return found.length === 1 ? found[0] : undefined;
}
