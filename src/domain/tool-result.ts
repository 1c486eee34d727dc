import type { ApprovalSource } from './approval.js';
import { type Enforcement, NOTHING_ENFORCED } from './enforcement.js';
import type { Failure } from './errors.js';
import type { Json } from './json.js';

/** Said when output was longer than its limit: what was kept, and where the whole is. */
export interface Truncation {
  readonly totalBytes: number;
  readonly keptBytes: number;
  /** The file with the whole output, in the run's folder; absent where a run has no folder. */
  readonly file?: string;
}

/** The one answer every call gets. */
export interface ToolResult {
  readonly success: boolean;
  /** What the model reads. */
  readonly output: string;
  readonly error?: Failure;
  /** Structured output beside the text, for tools that have some. */
  readonly data?: Json;
  readonly durationMs: number;
  readonly approval: ApprovalSource;
  readonly enforcement: Enforcement;
  readonly truncated?: Truncation;
}

/** A result for a call that was not run, or whose run failed. The model reads the same message people do. */
export function failedResult(
  error: Failure,
  more: Partial<Omit<ToolResult, 'success' | 'error'>> = {},
): ToolResult {
  return {
    success: false,
    output: error.message,
    durationMs: 0,
    approval: 'none',
    enforcement: NOTHING_ENFORCED,
    ...more,
    error,
  };
}

/** Whether a call was refused by policy or a person, as opposed to having been tried and failed. */
export function isDenied(result: ToolResult): boolean {
  const code = result.error?.code ?? '';
  return code.startsWith('EXECUTION.APPROVAL.') || code.startsWith('EXECUTION.SANDBOX.');
}
