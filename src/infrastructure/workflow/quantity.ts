import { LONGEST_TIMER_MS } from '../../domain/longest-timer.js';
import type { YamlValue } from './yaml-value.js';

const MS_PER_UNIT: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const BYTES_PER_UNIT: Record<string, number> = {
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
};

/** A duration in milliseconds: `30` is seconds, texts are as Go writes them (`1m30s`). */
export function durationOf(value: YamlValue): number | undefined {
  const written = value.number() ?? value.text();
  if (written === undefined) return undefined;
  const ms = Math.round(typeof written === 'number' ? written * 1000 : durationInText(written));
  if (Number.isNaN(ms) || isBadNumber(written)) return undefined;
  return within(value, ms, { min: 1, max: LONGEST_TIMER_MS, words: 'a duration from 1ms to 24 days (596h)' });
}

/** A size in bytes: `512MiB`, `1GB`, or a plain number. */
export function sizeOf(value: YamlValue): number | undefined {
  const written = value.number() ?? value.text();
  if (written === undefined) return undefined;
  const bytes = typeof written === 'number' ? written : Math.round(sizeInText(written));
  if (Number.isNaN(bytes) || isBadNumber(written)) return undefined;
  return within(value, bytes, { min: 1, max: Number.MAX_SAFE_INTEGER, words: 'a size of 1 byte or more' });
}

/** Zero, less and infinity are reported where the file is read. */
function isBadNumber(written: number | string): boolean {
  return typeof written === 'number' && !(written > 0 && Number.isFinite(written));
}

function durationInText(text: string): number {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(text)) return Number.NaN;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (MS_PER_UNIT[unit ?? ''] ?? 0), 0);
}

function sizeInText(text: string): number {
  const match = /^(\d+(?:\.\d+)?) ?([KMG]i?B|B)$/.exec(text);
  return Number(match?.[1]) * (BYTES_PER_UNIT[match?.[2] ?? ''] ?? Number.NaN);
}

/** Whatever is ill-formed was the schema's to report; what is left to say is how much is too much. */
function within(
  value: YamlValue,
  amount: number,
  bounds: { readonly min: number; readonly max: number; readonly words: string },
): number | undefined {
  if (amount >= bounds.min && amount <= bounds.max) return amount;
  value.report({
    code: 'WORKFLOW.VALIDATION.SCHEMA',
    message: `${value.path}: expected ${bounds.words}; found ${String(value.raw).slice(0, 60)}`,
  });
  return undefined;
}
