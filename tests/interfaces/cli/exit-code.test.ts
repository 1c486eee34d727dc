import { describe, expect, it } from '@jest/globals';
import type { RunOutcome } from '../../../src/application/run-request.js';
import { ToolgateError } from '../../../src/domain/errors.js';
import type { StepState, StopReason } from '../../../src/domain/step-state.js';
import { exitCodeOfError, exitCodeOfRun } from '../../../src/interfaces/cli/exit-code.js';

function outcome(status: RunOutcome['status'], ...reasons: readonly StopReason[]): RunOutcome {
  const states = reasons.map((stoppedBy, index) => [`s${index}`, { stoppedBy } as StepState] as const);
  return { runId: 'r1', status, states: new Map(states) };
}

describe('exitCodeOfRun', () => {
  it.each([
    ['every step ended by itself', outcome('success', 'completed', 'completed'), 0],
    ['a step reached a limit and another one mended it', outcome('success', 'max_calls', 'completed'), 3],
    ['the workflow led to a failure', outcome('failure', 'completed'), 3],
    ['the provider failed', outcome('failure', 'error'), 3],
    ['nobody could approve', outcome('failure', 'approval_unavailable'), 3],
    ['it waits for an approval', outcome('suspended', 'suspended'), 3],
    ['it was interrupted', outcome('cancelled', 'cancelled'), 130],
  ])('tells that %s', (_, run, code) => {
    expect(exitCodeOfRun(run)).toBe(code);
  });
});

describe('exitCodeOfError', () => {
  it('goes by the category of the code', () => {
    const codes = [
      'USER.INPUT.MISSING',
      'WORKFLOW.TOOL.INVALID',
      'EXECUTION.TOOL.FAILED',
      'SYSTEM.JOURNAL.LEASED',
    ] as const;
    expect(codes.map((code) => exitCodeOfError(new ToolgateError(code, '')))).toEqual([1, 2, 3, 4]);
  });

  it('takes an error that nobody foresaw for one of the system', () => {
    expect(exitCodeOfError(new TypeError('x is not a function'))).toBe(4);
    expect(exitCodeOfError('thrown text')).toBe(4);
  });
});
