import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '../json.js';

/** What a value of one argument must be at least, as far as that can be seen without reading all of its schema. */
interface Bound {
  readonly name: string;
  readonly constant?: string | number | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
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
    if (!Object.hasOwn(args, bound.name) || isOutside(bound, args[bound.name])) return true;
  }
  return false;
}

function boundOf(name: string, properties: JsonObject): Bound {
  const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (!isJsonObject(schema)) return { name };
  const { const: constant, minimum, maximum } = schema;
  return {
    name,
    ...(isPlain(constant) ? { constant } : {}),
    ...(typeof minimum === 'number' ? { minimum } : {}),
    ...(typeof maximum === 'number' ? { maximum } : {}),
  };
}

function isOutside({ constant, minimum, maximum }: Bound, value: Json | undefined): boolean {
  if (constant !== undefined && value !== constant) return true;
  if (typeof value !== 'number') return false;
  return (minimum !== undefined && value < minimum) || (maximum !== undefined && value > maximum);
}

function isPlain(value: Json | undefined): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
