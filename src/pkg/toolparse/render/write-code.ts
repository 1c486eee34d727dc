import type { Json, JsonObject } from '../types.js';
import type { WrittenCall } from './write-call.js';

/** `f(a="x", b=True)`. */
export function writeCode({ name, arguments: args }: WrittenCall): string {
  const list = Object.entries(args).map(([key, value]) => `${key}=${writePython(value)}`);
  return `${name}(${list.join(', ')})`;
}

function writePython(value: Json): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(writePython).join(', ')}]`;
  const members = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${writePython(one)}`);
  return `{${members.join(', ')}}`;
}

/** `{a:<|"|>x<|"|>,b:true}`. A quote mark inside a string cannot be written, and is left out. */
export function writeQuoted(args: JsonObject, quote: string): string {
  const write = (value: Json): string => {
    if (typeof value === 'string') return quote + value.split(quote).join('') + quote;
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    if (Array.isArray(value)) return `[${(value as readonly Json[]).map(write).join(',')}]`;
    const members = Object.entries(value).map(([key, one]) => `${writeKey(key)}:${write(one)}`);
    return `{${members.join(',')}}`;
  };
  return write(args);
}

function writeKey(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}
