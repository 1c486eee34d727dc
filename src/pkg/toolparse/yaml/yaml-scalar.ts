import { tryParse } from '../json/own.js';
import type { Json } from '../types.js';

const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;

/** A scalar without quotes. */
export function readPlain(text: string): Json {
  if (text === '~' || /^null$/i.test(text)) return null;
  if (/^true$/i.test(text)) return true;
  if (/^false$/i.test(text)) return false;
  const number = NUMBER.test(text) ? Number(text) : Number.NaN;
  // A number that a double cannot hold, or that loses its leading zeros, means its digits.
  const isExact =
    Number.isFinite(number) && !/^[-+]?0\d/.test(text) && Math.abs(number) <= Number.MAX_SAFE_INTEGER;
  return isExact ? number : text;
}

/** A scalar in quotes of either kind; undefined when it does not end with them. */
export function readQuoted(text: string): string | undefined {
  if (text.startsWith("'")) {
    return /^'(?:[^']|'')*'$/.test(text) ? text.slice(1, -1).replaceAll("''", "'") : undefined;
  }
  const value = tryParse(text) ?? tryParse(text.replace(/\\(?!["\\/bfnrtu])/g, '\\\\'));
  return typeof value === 'string' ? value : undefined;
}
