import type { Json } from '../../../domain/json.js';

/** A number; templates can only write it as text. */
export function numeric(value: Json | undefined): Json | undefined {
  return typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
}

/** A time in milliseconds: seconds as a number, or a text such as 1m30s; no number where it is neither. */
export function durationMs(value: Json): number {
  const number = numeric(value);
  if (typeof number === 'number') return Math.round(number * 1000);
  const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
  const text = String(value);
  if (!/^(?:\d{1,9}(?:\.\d{1,3})?(?:ms|s|m|h)){1,4}$/.test(text)) return Number.NaN;
  const parts = [...text.matchAll(/([\d.]+)(ms|s|m|h)/g)];
  return Math.round(parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (units[unit] ?? 0), 0));
}
