import { readFileSync } from 'node:fs';
import type { Json, JsonObject } from '../../../../src/domain/json.js';

export const AREAS = [
  ...(['path', 'command', 'template', 'network', 'resource'] as const),
  ...(['approval', 'args', 'log', 'yaml'] as const),
] as const;

export type Area = (typeof AREAS)[number];

const MUSTS = ['deny', 'literal', 'contain', 'error', 'sanitize', 'prompt', 'allow'] as const;

export type Must = (typeof MUSTS)[number];

/** One line of a case file: what the world is like, what a tool may do, what an agent tries, and what must come of it. */
export interface AttackCase {
  readonly id: string;
  readonly area: Area;
  readonly setup: readonly JsonObject[];
  readonly policy: JsonObject;
  readonly input: JsonObject;
  readonly must: Must;
  readonly why: string;
  readonly assert: JsonObject;
  readonly layer?: 'kernel';
  /** The systems it is for; absent for all of them. */
  readonly platform?: string;
  /** How a file is written. */
  readonly mode?: string;
}

// The last four are for whoever reads the file: where an attack is known from, and how it did without a gate.
const KEYS = new Set([
  ...['id', 'area', 'setup', 'policy', 'input', 'must', 'why', 'assert', 'layer', 'platform', 'mode'],
  ...['source', 'naive_verified', 'naive_expected', 'shell', 'note'],
]);

/** `cases` is the catalogue as it was given to us, `variants` our own attacks of the same classes. */
export type Collection = 'cases' | 'variants';

/** The attacks of one area. A line that says something this harness does not know is an error, not a pass. */
export function loadCases(collection: Collection, area: Area): readonly AttackCase[] {
  const file = new URL(`../${collection}/${area}.jsonl`, import.meta.url);
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => readCase(JSON.parse(line) as JsonObject));
}

/** Checks the form of one case. */
export function readCase(line: JsonObject): AttackCase {
  const unknown = Object.keys(line).find((key) => !KEYS.has(key));
  if (unknown !== undefined) throw new Error(`${String(line.id)}: unknown key "${unknown}"`);
  const kase = { assert: {}, ...line } as unknown as AttackCase;
  if (!MUSTS.includes(kase.must)) throw new Error(`${kase.id}: unknown must "${kase.must}"`);
  if (!AREAS.includes(kase.area)) throw new Error(`${kase.id}: unknown area "${kase.area}"`);
  if (kase.layer !== undefined && kase.layer !== 'kernel') throw new Error(`${kase.id}: unknown layer`);
  return kase;
}

/** The same value with every text changed and every `$gen` made. */
export function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (value === null || typeof value !== 'object') return value;
  if ('$gen' in value) return change(generate(value.$gen as JsonObject));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapTexts(item as Json, change)]),
  );
}

/** A text that is too long to be written down. */
function generate({ prefix = '', repeat, suffix = '', ...rest }: JsonObject): string {
  const [text, count] = repeat as [string, number];
  if (Object.keys(rest).length > 0) throw new Error(`unknown $gen: ${Object.keys(rest).join()}`);
  return `${String(prefix)}${text.repeat(count)}${String(suffix)}`;
}
