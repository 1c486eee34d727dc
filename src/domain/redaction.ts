import { isJsonObject, type Json, type JsonObject } from './json.js';
import { isSecretKey, REDACTED, redactShapes } from './secret-shapes.js';

/** Takes secrets out of what people and logs get to see. Never used on what a tool or a model gets. */
export interface Redactor {
  text(text: string): string;
  json(value: Json): Json;
}

export interface KnownSecret {
  readonly name: string;
  readonly value: string;
}

/** Shorter values are left: they would be found, and hidden, in the middle of ordinary words. */
const SHORTEST_SECRET = 4;
/** Deeper values are cut off: nobody reads them, and a model could nest them without end. */
const DEEPEST = 100;

/** A redactor that hides these values in every form they travel in, and whatever else looks like a secret. */
export function createRedactor(secrets: readonly KnownSecret[]): Redactor {
  const forms = [...new Set(secrets.flatMap(({ value }) => formsOf(value)))];
  const shortest = Math.min(...forms.map((form) => form.length));
  const text = (input: string) => redactShapes(input.length < shortest ? input : hideForms(input, forms));
  return { text, json: (value) => redactJson(value, text, 0) };
}

/** Hides these values and nothing that only looks like a secret: for data that a program reads, and relies on. */
export function createValueRedactor(secrets: readonly KnownSecret[]): Redactor {
  const forms = [...new Set(secrets.flatMap(({ value }) => formsOf(value)))];
  const text = (input: string) => hideForms(input, forms);
  return { text, json: (value) => (forms.length === 0 ? value : hideInJson(value, text, 0)) };
}

function hideInJson(value: Json, text: (input: string) => string, depth: number): Json {
  if (typeof value === 'string') return text(value);
  // Only a number that is the secret: digits in the middle of a duration mean nothing.
  if (typeof value === 'number') return text(String(value)) === REDACTED ? REDACTED : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEEPEST) return '[nested too deep to show]';
  if (!isJsonObject(value)) return value.map((item) => hideInJson(item, text, depth + 1));
  const members = Object.entries(value).map(([key, member]) => [
    text(key),
    hideInJson(member, text, depth + 1),
  ]);
  return Object.fromEntries(members);
}

function redactJson(value: Json, text: (input: string) => string, depth: number): Json {
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number') return text(String(value)) === String(value) ? value : REDACTED;
  if (typeof value === 'boolean' || value === null) return value;
  if (depth >= DEEPEST) return '[nested too deep to show]';
  if (isJsonObject(value)) return redactMembers(value, text, depth + 1);
  // After `--password` in a list of arguments comes the password.
  return value.map((item, index) =>
    isSecretFlag(value[index - 1]) && typeof item === 'string' ? REDACTED : redactJson(item, text, depth + 1),
  );
}

function redactMembers(value: JsonObject, text: (input: string) => string, depth: number): JsonObject {
  // fromEntries defines own keys, also one that is called __proto__.
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      text(key),
      isSecretKey(key) ? REDACTED : redactJson(member, text, depth),
    ]),
  );
}

function isSecretFlag(value: Json | undefined): boolean {
  return typeof value === 'string' && /^--?[A-Za-z][\w-]{0,63}$/.test(value) && isSecretKey(value);
}

/** Replaces every stretch that any of the forms covers, so that forms which overlap leave nothing between them. */
function hideForms(text: string, forms: readonly string[]): string {
  const found = forms.filter((form) => text.includes(form));
  if (found.length === 0) return text;
  const ranges = found
    .flatMap((form) => occurrences(text, form))
    .sort((left, right) => left.start - right.start);
  let hidden = '';
  let end = 0;
  for (const range of ranges) {
    if (range.end <= end) continue;
    if (range.start >= end) hidden += text.slice(end, range.start) + REDACTED;
    end = range.end;
  }
  return hidden + text.slice(end);
}

export interface Range {
  readonly start: number;
  end: number;
}

/** Where a form stands in a text; places that overlap are one. */
export function occurrences(text: string, form: string): Range[] {
  const ranges: Range[] = [];
  for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1)) {
    const last = ranges.at(-1);
    if (last && at <= last.end) last.end = at + form.length;
    else ranges.push({ start: at, end: at + form.length });
  }
  return ranges;
}

/** A value as itself, inside JSON, inside a URL and inside base64 (also where other text was encoded with it). */
export function formsOf(value: string): string[] {
  const url = urlEncoded(value);
  const base64 = [0, 1, 2].map((offset) => base64Core(value, offset));
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    url,
    url.replace(/%20/g, '+'),
    url.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    ...base64,
    ...base64.map((core) => core.replace(/\+/g, '-').replace(/\//g, '_')),
  ].filter((form) => form.length >= SHORTEST_SECRET && value.length >= SHORTEST_SECRET);
}

function urlEncoded(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    return value; // A lone surrogate has no URL form.
  }
}

/** The characters that base64 text has whatever stands before and after the value, `offset` bytes into a group. */
function base64Core(value: string, offset: number): string {
  const bytes = [...new Uint8Array(offset), ...new TextEncoder().encode(value)];
  const encoded = btoa(bytes.map((byte) => String.fromCharCode(byte)).join(''));
  return encoded.slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
}
