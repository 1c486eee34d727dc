import type { SandboxCapabilities } from '../../../ports/sandbox.js';
import { isGood, type TrialResult } from './judge.js';

/** What holds on this machine, shown rather than claimed. */
export interface DoctorReport {
  readonly platform: string;
  readonly kernel: boolean;
  readonly backend: string;
  /** Whether every escape was held. */
  readonly holds: boolean;
  readonly results: readonly TrialResult[];
  /** How to get what is missing. */
  readonly missing: readonly string[];
  /** Why a layer is weaker than it could be, as the sandbox says it. */
  readonly reasons: readonly string[];
}

export function doctorReport(
  results: readonly TrialResult[],
  { enforcement, kernel }: SandboxCapabilities,
  missing: readonly string[],
): DoctorReport {
  return {
    platform: process.platform,
    kernel,
    backend: enforcement.backend,
    holds: results.every(isGood),
    results,
    missing,
    reasons: enforcement.reasons,
  };
}
