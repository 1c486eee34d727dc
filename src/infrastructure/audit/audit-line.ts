import { createHash } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.js';
import { escapeInvisibleJson } from '../../domain/visible-text.js';

/** With its line feed: what one write puts into a pipe or a file in one piece. */
export const LONGEST_LINE = 4096;
/** How much of a long text is kept, tried one after the other until the line fits. */
const KEPT = [2048, 512, 128, 32];
/** What a cut itself adds; shorter texts would only grow. */
const CUT_NOTE = 100;

export interface AuditFields {
  /** In this order: the envelope, what happened, the envelope's end. */
  readonly head: JsonObject;
  readonly details: JsonObject;
  readonly tail: JsonObject;
  /** The key that says that something was cut. */
  readonly cutMark: string;
}

/**
 * The line for an event, without its line feed and never longer than allowed: what is too long keeps its head,
 * its length and its hash. JSON with nothing in it that a terminal acts on.
 */
export function toAuditLine({ head, details, tail, cutMark }: AuditFields): string {
  const whole = fitting([head, details, tail]);
  if (whole !== undefined) return whole;
  const digests = new Map<string, string>();
  const start = cutStrings(head, 64, digests) as JsonObject;
  const end = { [cutMark]: true, ...tail };
  for (const kept of KEPT) {
    const line = fitting([start, cutStrings(details, kept, digests) as JsonObject, end]);
    if (line !== undefined) return line;
  }
  return escapeInvisibleJson(joined([start, summaries(details, digests), end]));
}

/** Undefined when it is too long. */
function fitting(parts: readonly JsonObject[]): string | undefined {
  const json = joined(parts);
  if (json.length >= LONGEST_LINE) return undefined;
  const text = escapeInvisibleJson(json);
  return Buffer.byteLength(text) < LONGEST_LINE ? text : undefined;
}

/** One object of several, as text: putting the objects together first costs five times as much. */
function joined(parts: readonly JsonObject[]): string {
  const members = parts.map((part) => JSON.stringify(part).slice(1, -1)).filter((text) => text !== '');
  return `{${members.join(',')}}`;
}

function cutStrings(value: Json, kept: number, digests: Map<string, string>): Json {
  if (typeof value === 'string') return cutString(value, kept, digests);
  if (Array.isArray(value)) return value.map((item: Json) => cutStrings(item, kept, digests));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      cutString(key, kept, digests),
      cutStrings(member, kept, digests),
    ]),
  );
}

function cutString(text: string, kept: number, digests: Map<string, string>): string {
  if (isShort(text, kept + CUT_NOTE)) return text;
  // Never half a character: the half would be escaped, and look like a finding.
  const head = text.slice(0, kept).replace(/[\ud800-\udbff]$/, '');
  return `${head}${digestNote(text, digests)}`;
}

/** By the bytes it takes in the line, where a control character takes six. */
function isShort(value: Json, bytes: number): boolean {
  if (typeof value === 'string' && value.length > bytes) return false;
  return Buffer.byteLength(escapeInvisibleJson(JSON.stringify(value))) <= bytes + 2;
}

function digestNote(text: string, digests: Map<string, string>): string {
  const known = digests.get(text);
  if (known !== undefined) return known;
  const note = `…[${Buffer.byteLength(text)} bytes, sha256:${createHash('sha256').update(text).digest('hex')}]`;
  digests.set(text, note);
  return note;
}

/** The last resort, for thousands of small values: of every detail only its length and hash. */
function summaries(details: JsonObject, digests: Map<string, string>): JsonObject {
  return Object.fromEntries(
    Object.entries(details).map(([key, value]) => [
      key,
      isShort(value, CUT_NOTE) ? value : digestNote(JSON.stringify(value), digests),
    ]),
  );
}
