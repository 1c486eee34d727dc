import type { Json } from '../types.js';
import { isBlankCode } from './json-walker.js';

/** What mending calls a key that an object has twice. */
export const REPEATED_KEY = 'repeated key';

/** Whether sound JSON names a member twice, which JSON.parse hides: its text then has more keys than its value. */
export function repeatsKey(text: string, value: Json): boolean {
  const members = countMembers(value);
  return mostKeys(text) > members && countKeys(text) > members;
}

/** A bound that costs little: every key ends with a quote and a colon, though not every such pair ends a key. */
function mostKeys(text: string): number {
  if (/"\s+:/.test(text)) return Number.POSITIVE_INFINITY;
  let count = 0;
  for (let at = text.indexOf('":'); at >= 0; at = text.indexOf('":', at + 2)) count += 1;
  return count;
}

/** Jumps from quote to quote, so that long strings cost a search. */
function countKeys(text: string): number {
  let keys = 0;
  for (let open = text.indexOf('"'); open >= 0; ) {
    const close = stringEnd(text, open + 1);
    if (close < 0) return keys;
    let next = close + 1;
    while (isBlankCode(text.charCodeAt(next))) next += 1;
    if (text.charCodeAt(next) === 0x3a) keys += 1;
    open = text.indexOf('"', next);
  }
  return keys;
}

function stringEnd(text: string, from: number): number {
  let end = text.indexOf('"', from);
  while (end >= 0 && isEscaped(text, from, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, floor: number, at: number): boolean {
  let index = at;
  while (index > floor && text.charCodeAt(index - 1) === 0x5c) index -= 1;
  return (at - index) % 2 === 1;
}

/** Without recursion: JSON.parse takes deeper nesting than the stack does. */
function countMembers(root: Json): number {
  let members = 0;
  const open: Json[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const inner: readonly Json[] = Array.isArray(value) ? value : Object.values(value);
    if (inner !== value) members += inner.length;
    for (const one of inner) open.push(one);
  }
  return members;
}
