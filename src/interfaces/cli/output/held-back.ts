import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.js';
import { toVisible } from '../../../domain/visible-text.js';
import type { HeldBack } from '../../../ports/tool-executor.js';
import { prettyJson } from './json-text.js';

export function heldBackToJson({ why, now, approved }: HeldBack): JsonObject {
  return {
    held_back: why,
    ...(now === undefined ? {} : { now }),
    ...(approved === undefined ? {} : { approved }),
  };
}

/** Why, and below it what was approved and what there is now. Each of a stranger's lines is indented: none can pass for ours. */
export function heldBackToText({ why, now, approved }: HeldBack): string {
  return [`HELD BACK: ${toVisible(why)}`, ...said('approved', approved), ...said('now', now)].join('\n');
}

function said(title: string, what: Json | undefined): readonly string[] {
  if (!isJsonObject(what)) return [];
  const { description, inputSchema, annotations } = what;
  const words = toVisible(String(description), { multiline: true });
  const hints = isJsonObject(annotations) && Object.keys(annotations).length > 0;
  return [
    `  ${title}:`,
    indented(words === '' ? '(no description)' : words),
    indented(prettyJson(inputSchema ?? {}).trimEnd()),
    ...(hints ? [indented(`hints: ${prettyJson(annotations).trimEnd()}`)] : []),
  ];
}

function indented(text: string): string {
  return text.replace(/^/gm, '    ');
}
