import { type ErrorCode, type Failure, ToolgateError, toFailure } from './errors.js';
import type { Usage } from './message.js';

/** A reply that could not be had, or that is of no use; `usage` is what it has cost all the same. */
export class ReplyError extends ToolgateError {
  override readonly name: string = 'ReplyError';

  constructor(
    code: ErrorCode,
    message: string,
    readonly usage?: Usage,
  ) {
    super(code, message);
  }
}

/** What is left of a turn whose reply is missing. */
export interface FailedReply {
  readonly failure: Failure;
  readonly usage?: Usage;
}

export function failedReply(error: unknown): FailedReply {
  const failure = toFailure(error, 'EXECUTION.PROVIDER.FAILED');
  return error instanceof ReplyError && error.usage ? { failure, usage: error.usage } : { failure };
}
