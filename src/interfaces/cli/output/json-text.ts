import type { Json } from '../../../domain/json.js';
import { escapeInvisibleJson } from '../../../domain/visible-text.js';

/** JSON for a program, in lines that a person can read too; nothing in it acts on a terminal. */
export function prettyJson(value: Json): string {
  // Line by line, since the escaping takes line feeds for content; inside JSON there are none of those.
  const lines = JSON.stringify(value, null, 2).split('\n');
  return `${lines.map(escapeInvisibleJson).join('\n')}\n`;
}

/** JSON on one line of its own. */
export function compactJson(value: Json): string {
  return `${escapeInvisibleJson(JSON.stringify(value))}\n`;
}
