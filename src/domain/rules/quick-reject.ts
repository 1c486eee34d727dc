import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '../json.js';

/** What can be looked up. */
export type Plain = string | number | boolean;

/** What a value of one argument must be at least, as far as that can be seen without reading all of its schema. */
export interface Bound {
  readonly name: string;
  /** Of `const` and `enum`. */
  readonly values?: ReadonlySet<Plain>;
  readonly types?: ReadonlySet<string>;
  readonly minimum?: number;
  readonly maximum?: number;
  /** What its pattern begins with. */
  readonly start?: string;
  readonly pattern?: RegExp;
}

/** The bounds of arguments that a schema requires. */
export function boundsOf({ properties, required }: JsonSchema): readonly Bound[] {
  if (!Array.isArray(required) || !isJsonObject(properties)) return [];
  return required.flatMap((name) => (typeof name === 'string' ? [boundOf(name, properties)] : []));
}

/**
 * Whether arguments fail a schema for certain. A thousand schemas are a thousand functions, too many for the machine to
 * keep at hand; most calls fail most rules by a plain value.
 */
export function failsFor(bounds: readonly Bound[], args: JsonObject): boolean {
  for (const bound of bounds) {
    const value = args[bound.name];
    if (value === undefined || isOutside(bound, value) || !Object.hasOwn(args, bound.name)) return true;
  }
  return false;
}

function boundOf(name: string, properties: JsonObject): Bound {
  const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (!isJsonObject(schema)) return { name };
  const { minimum, maximum } = schema;
  const values = valuesOf(schema);
  const types = typesOf(schema.type);
  const pattern = typeof schema.pattern === 'string' ? patternOf(schema.pattern) : undefined;
  return {
    name,
    ...(values ? { values } : {}),
    ...(types ? { types } : {}),
    ...(typeof minimum === 'number' ? { minimum } : {}),
    ...(typeof maximum === 'number' ? { maximum } : {}),
    ...(pattern ? { pattern, start: startOf(pattern) } : {}),
  };
}

/** Undefined where one of them is a list or a mapping, which cannot be looked up. */
function valuesOf({ const: constant, enum: choices }: JsonObject): ReadonlySet<Plain> | undefined {
  const values = constant !== undefined ? [constant] : choices;
  return Array.isArray(values) && values.every(isPlain) ? new Set(values) : undefined;
}

function typesOf(type: Json | undefined): ReadonlySet<string> | undefined {
  const names = typeof type === 'string' ? [type] : type;
  return Array.isArray(names) ? new Set(names.map(String)) : undefined;
}

/** As the schema's own reader has it; what that reads in another way is left to it. */
function patternOf(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
}

/** The plain letters after `^`, less the last, which may be repeated or left out. */
function startOf({ source }: RegExp): string {
  const [, letters = ''] = (!source.includes('|') && /^\^([\w ,:@-]+)/.exec(source)) || [];
  return letters.slice(0, -1);
}

function isOutside(bound: Bound, value: Json): boolean {
  const { values, types, minimum, maximum } = bound;
  if (values !== undefined && !values.has(value as Plain)) return true;
  if (types !== undefined && !types.has(typeOf(value)) && !isWhole(types, value)) return true;
  if (typeof value === 'string') return isOtherText(bound, value);
  if (typeof value !== 'number') return false;
  return (minimum !== undefined && value < minimum) || (maximum !== undefined && value > maximum);
}

function isOtherText({ start = '', pattern }: Pick<Bound, 'start' | 'pattern'>, text: string): boolean {
  return pattern !== undefined && !(text.startsWith(start) && pattern.test(text));
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function isWhole(types: ReadonlySet<string>, value: Json): boolean {
  return types.has('integer') && Number.isInteger(value);
}

function isPlain(value: Json): value is Plain {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
