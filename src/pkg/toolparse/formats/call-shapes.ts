import { isObject, own } from '../json/own.js';
import type { Json, JsonObject } from '../types.js';

/** A call found in a JSON value; `element` is its place when the value is an array. */
export interface ShapedCall {
  readonly name: string;
  readonly id?: string | undefined;
  readonly arguments: Json | undefined;
  /** Whether the arguments may be the plain text of the tool's only parameter. */
  readonly isPlain?: boolean;
  /** Members beside the name that are neither its arguments nor part of the usual call. */
  readonly beside?: JsonObject | undefined;
  readonly element: number;
}

export interface ShapeRules {
  /** For JSON that nothing marks as a call: it must look like one and like nothing else. */
  readonly strict: boolean;
  /** Keys of the format's own, asked before the usual ones. */
  readonly nameKey?: string | undefined;
  readonly argumentsKey?: string | undefined;
}

const NAME_KEYS = ['name', 'tool_name', 'tool', 'function', 'function_name', 'action', 'recipient_name'];
const ARGUMENT_KEYS = [
  'arguments',
  'parameters',
  'args',
  'input',
  'tool_input',
  'action_input',
  'params',
  'kwargs',
  'tool_args',
  'tool_arguments',
  'tool_parameters',
];
const ID_KEYS = ['id', 'call_id', 'tool_call_id'];
/** What a model may put down before a call; only beside arguments does it belong to one. */
const THOUGHT_KEYS = new Set(['thought', 'thoughts', 'reasoning']);
/** Keys under which calls stand. */
const WRAPPER_KEYS = ['tool_calls', 'function_call', 'tool_call', 'tool_uses'];
const CALL_KEYS = new Set([...NAME_KEYS, ...ARGUMENT_KEYS, ...ID_KEYS, ...WRAPPER_KEYS, 'type', 'index']);
const MAX_NAME = 256;
/** A name that holds quotes or braces is a piece of JSON that mending has misread. */
const NAME = /^[^"'`\u2018-\u201d{}]+$/;
const MAX_WRAPPING = 4;

/** Reads the calls of a JSON value, in any of the shapes that models use; undefined when it holds none. */
export function readCallShapes(value: Json, rules: ShapeRules): readonly ShapedCall[] | undefined {
  const elements = Array.isArray(value) ? (value as readonly Json[]) : [value];
  const calls: ShapedCall[] = [];
  for (const [element, item] of elements.entries()) {
    const found = isObject(item) ? readObject(item, rules, 0) : [];
    if (rules.strict && found.length === 0) return undefined;
    for (const call of found) calls.push({ ...call, element });
  }
  return calls.length > 0 ? calls : undefined;
}

/** Reads calls whose name is the only key: `{"f": {"a": 1}}`, alone or in an array. */
export function readKeyedCalls(value: Json): readonly ShapedCall[] | undefined {
  const elements = Array.isArray(value) ? (value as readonly Json[]) : [value];
  const calls = elements.flatMap((item, element) => {
    const entries = isObject(item) ? Object.entries(item) : [];
    const [name, args] = entries[0] ?? [];
    const isCall = entries.length === 1 && name !== undefined && (args === null || isObject(args));
    return isCall ? [{ name, arguments: args, element }] : [];
  });
  return calls.length === elements.length && calls.length > 0 ? calls : undefined;
}

/** Whether a path into a call leads to the tool's name, and not to something inside the arguments. */
export function isNamePath(path: readonly (string | number)[], rules: ShapeRules): boolean {
  const last = path.at(-1);
  const isName = last === rules.nameKey || (typeof last === 'string' && NAME_KEYS.includes(last));
  return (
    isName &&
    !path.slice(0, -1).some((key) => key === rules.argumentsKey || ARGUMENT_KEYS.includes(String(key)))
  );
}

type Call = Omit<ShapedCall, 'element'>;

function readObject(object: JsonObject, rules: ShapeRules, depth: number): readonly Call[] {
  if (depth > MAX_WRAPPING) return [];
  const wrapped = WRAPPER_KEYS.map((key) => own(object, key)).find((value) => value != null);
  if (Array.isArray(wrapped)) {
    return wrapped.flatMap((item: Json) => (isObject(item) ? readObject(item, rules, depth + 1) : []));
  }
  if (isObject(wrapped)) return readObject(wrapped, rules, depth + 1);
  const inner = own(object, 'function');
  if (isObject(inner)) {
    return readObject(inner, rules, depth + 1).map((call) => ({
      ...call,
      id: call.id ?? readId(object),
      arguments: call.arguments ?? argumentsOf(object, rules).value,
    }));
  }
  return readCall(object, rules, depth);
}

function readCall(object: JsonObject, rules: ShapeRules, depth: number): readonly Call[] {
  const name = readName(object, rules);
  if (name === undefined) return [];
  const { key, value: args } = argumentsOf(object, rules);
  if (rules.strict && !looksLikeACall(object, args)) return [];
  if (name === 'multi_tool_use.parallel' && isObject(args)) return readParallel(args, rules, depth);
  const isPlain = key === 'action_input' && typeof args === 'string' && !/^\s*[[{"]/.test(args);
  return [{ name, id: readId(object), arguments: args, isPlain, beside: besideOf(object, name, rules) }];
}

function argumentsOf(
  object: JsonObject,
  rules: ShapeRules,
): { readonly key?: string; readonly value?: Json | undefined } {
  const key = withOwn(rules.argumentsKey, ARGUMENT_KEYS).find((one) => Object.hasOwn(object, one));
  return key === undefined ? {} : { key, value: own(object, key) };
}

function besideOf(object: JsonObject, name: string, rules: ShapeRules): JsonObject | undefined {
  const names = withOwn(rules.nameKey, NAME_KEYS);
  const taken = withOwn(rules.argumentsKey, ARGUMENT_KEYS);
  const others = Object.entries(object).filter(
    ([key, value]) => !taken.includes(key) && !(names.includes(key) && String(value).trim() === name),
  );
  return others.length > 0 ? Object.fromEntries(others) : undefined;
}

function readName(object: JsonObject, rules: ShapeRules): string | undefined {
  for (const key of withOwn(rules.nameKey, NAME_KEYS)) {
    const name = own(object, key);
    if (typeof name !== 'string' || name.length > MAX_NAME) continue;
    if (name.trim() !== '' && NAME.test(name)) return name.trim();
  }
  return undefined;
}

function withOwn(key: string | undefined, usual: readonly string[]): readonly string[] {
  return key === undefined ? usual : [key, ...usual];
}

function readId(object: JsonObject): string | undefined {
  for (const key of ID_KEYS) {
    const id = own(object, key);
    if (typeof id === 'string' && id !== '') return id;
  }
  return undefined;
}

/** OpenAI's wrapper for several calls at once. */
function readParallel(args: JsonObject, rules: ShapeRules, depth: number): readonly Call[] {
  const uses = own(args, 'tool_uses');
  if (!Array.isArray(uses)) return [];
  return uses.flatMap((use: Json) => (isObject(use) ? readObject(use, rules, depth + 1) : []));
}

/** A manifest has other keys, and a tool's definition has a schema where a call has arguments. */
function looksLikeACall(object: JsonObject, args: Json | undefined): boolean {
  const isOfACall = (key: string) => CALL_KEYS.has(key) || (args !== undefined && THOUGHT_KEYS.has(key));
  if (!Object.keys(object).every(isOfACall)) return false;
  const isSchema = isObject(args) && own(args, 'type') === 'object' && isObject(own(args, 'properties'));
  return !isSchema;
}
