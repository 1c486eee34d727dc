import type { Layer } from '../../../domain/enforcement.js';
import type { JsonObject } from '../../../domain/json.js';
import type { DoctorReport } from './doctor-report.js';
import type { TrialResult, Verdict } from './judge.js';

export function doctorToJson(report: DoctorReport): JsonObject {
  const { holds, platform, kernel, backend, results, missing, reasons } = report;
  return {
    holds,
    platform,
    kernel,
    backend,
    escapes: results.map(resultToJson),
    missing: [...missing],
    reasons: [...reasons],
  };
}

function resultToJson({ id, tried, verdict, heldBy, detail }: TrialResult): JsonObject {
  return { id, tried, verdict, held_by: heldBy, ...(detail === undefined ? {} : { detail }) };
}

/** The same, read back; undefined if it is something else. */
export function resultOfJson({ id, tried, verdict, held_by, detail }: JsonObject): TrialResult | undefined {
  if (typeof id !== 'string' || typeof tried !== 'string') return undefined;
  if (!isVerdict(verdict) || !isLayer(held_by)) return undefined;
  return { id, tried, verdict, heldBy: held_by, ...(typeof detail === 'string' ? { detail } : {}) };
}

function isVerdict(value: unknown): value is Verdict {
  const known: readonly Verdict[] = ['held', 'escaped', 'unheld', 'untried', 'inapplicable'];
  return known.some((each) => each === value);
}

function isLayer(value: unknown): value is Layer {
  const known: readonly Layer[] = ['kernel', 'in-process', 'none'];
  return known.some((each) => each === value);
}
