import { existsSync } from 'node:fs';
import { messageOf, ToolgateError } from '../../domain/errors.js';
import type { ProcessPlan } from '../../ports/sandbox.js';
import { codeOf } from './path-walk.js';

const MEANINGS: Readonly<Record<string, string>> = {
  E2BIG: 'the command and its arguments are longer than the system takes',
  EAGAIN: 'the system has no room for another process',
  ENOMEM: 'the system has no memory for another process',
  EMFILE: 'this process has too many files open',
  ENFILE: 'the system has too many files open',
  EACCES: 'the system does not let this user start it there',
  ENOENT: '/bin/sh is missing',
};

/** What kept a process from being started, in words. */
export function startError(error: unknown, plan: Pick<ProcessPlan, 'cwd'>): ToolgateError {
  const errno = codeOf(error);
  const meaning = existsSync(plan.cwd)
    ? (MEANINGS[errno] ?? messageOf(error))
    : `the workspace "${plan.cwd}" does not exist`;
  return new ToolgateError('EXECUTION.TOOL.FAILED', `The process could not be started: ${meaning}`, {
    details: { errno },
  });
}

/** Nothing was started. */
export function cancelled(): ToolgateError {
  return new ToolgateError('EXECUTION.CALL.CANCELLED', 'The call was cancelled before its process started');
}

/** It was killed, and is still there. */
export function stillRunning(pid: number): ToolgateError {
  return new ToolgateError(
    'SYSTEM.PROCESS.STILL_RUNNING',
    `Process ${pid} does not end, not even when killed`,
  );
}
