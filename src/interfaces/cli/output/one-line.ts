import type { Json, JsonObject } from '../../../domain/json.js';
import type { Redactor } from '../../../domain/redaction.js';
import type { ToolResult } from '../../../domain/tool-result.js';
import { toVisible } from '../../../domain/visible-text.js';

const LONGEST_VALUE = 60;
const LONGEST_LINE = 120;

/** A call's arguments in one line: `path="src/a.ts" content=(1200 characters)`. */
export function argumentsLine(args: JsonObject, redactor: Redactor): string {
  const shown = redactor.json(args) as JsonObject;
  const pairs = Object.entries(shown).map(([name, value]) => `${toVisible(name)}=${shortValue(value)}`);
  return cut(pairs.join(' '), LONGEST_LINE);
}

/** The first line of a result's output, and how many more there are. */
export function outputLine({ output }: ToolResult, redactor: Redactor): string {
  // Redacted as a whole before it is cut: half a secret would not be recognised.
  const lines = redactor.text(output).trimEnd().split('\n');
  const first = toVisible(cut(lines[0] ?? '', LONGEST_LINE));
  return lines.length > 1 ? `${first} … +${lines.length - 1} lines` : first;
}

/** 15 ms, 5.4 s, 2 min 5 s. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${Number((ms / 1000).toFixed(1))} s`;
  const seconds = Math.round(ms / 1000);
  const rest = seconds % 60;
  return `${Math.floor(seconds / 60)} min${rest === 0 ? '' : ` ${rest} s`}`;
}

function shortValue(value: Json): string {
  const text = toVisible(JSON.stringify(value));
  if (text.length <= LONGEST_VALUE) return text;
  return typeof value === 'string' ? `(${value.length} characters)` : cut(text, LONGEST_VALUE);
}

function cut(text: string, length: number): string {
  // Never half a character: the half would be shown as an escape.
  return text.length <= length ? text : `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`;
}
