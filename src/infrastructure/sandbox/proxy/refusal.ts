import { DeniedError, messageOf, ToolgateError } from '../../../domain/errors.js';

export type RefusalStatus = 400 | 403 | 408 | 431 | 502 | 504;

/** A request that is answered by the proxy itself. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  constructor(
    readonly status: RefusalStatus,
    readonly reason: string,
  ) {
    super(reason);
  }
}

/** What kept a request from being passed on, as the answer to it. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof DeniedError) return new Refusal(403, error.message);
  if (error instanceof ToolgateError) return new Refusal(502, error.message);
  if ((error as Partial<Error> | undefined)?.name === 'TimeoutError') {
    return new Refusal(504, 'The host did not answer in time');
  }
  return new Refusal(502, `The host could not be reached: ${messageOf(error)}`);
}
