/** Keys that could reach a prototype: refused as keys anywhere, and as names of anything. */
export const RESERVED_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
