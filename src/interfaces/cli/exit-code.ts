import type { RunOutcome } from '../../application/run-request.js';
import { type ErrorCategory, ToolgateError } from '../../domain/errors.js';

/** Every exit code there is. */
export const EXIT = {
  success: 0,
  user: 1,
  workflow: 2,
  execution: 3,
  system: 4,
  interrupted: 130,
} as const;

const BY_CATEGORY: Readonly<Record<ErrorCategory, number>> = {
  USER: EXIT.user,
  WORKFLOW: EXIT.workflow,
  EXECUTION: EXIT.execution,
  SYSTEM: EXIT.system,
};

/** An error that nobody threw on purpose is a fault of ours, so of the system. */
export function exitCodeOfError(error: unknown): number {
  return error instanceof ToolgateError ? BY_CATEGORY[error.category] : EXIT.system;
}

/** Success means that every step ended by itself, whatever its calls did and wherever it led. */
export function exitCodeOfRun({ status, states }: RunOutcome): number {
  if (status === 'cancelled') return EXIT.interrupted;
  const allCompleted = [...states.values()].every(({ stoppedBy }) => stoppedBy === 'completed');
  return status === 'success' && allCompleted ? EXIT.success : EXIT.execution;
}
