import { type ErrorCode, ToolgateError } from '../../../domain/errors.js';

export type ProviderErrorCode = Extract<ErrorCode, `EXECUTION.PROVIDER.${string}`>;

export interface ProviderErrorOptions {
  /** Whether the same request may be answered if it is sent again. */
  readonly retry?: boolean;
  /** How long the provider asks to wait first. */
  readonly retryAfterMs?: number;
}

/** A reply that could not be had. The message is the provider's own where it has one, and never holds a key. */
export class ProviderError extends ToolgateError {
  override readonly name = 'ProviderError';
  readonly retry: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(
    code: ProviderErrorCode,
    message: string,
    { retry = false, retryAfterMs }: ProviderErrorOptions = {},
  ) {
    super(code, message);
    this.retry = retry;
    this.retryAfterMs = retryAfterMs;
  }

  /** The same failure in other words. */
  reworded(message: string): ProviderError {
    const { retry, retryAfterMs } = this;
    return new ProviderError(this.code as ProviderErrorCode, message, {
      retry,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
  }
}

/** A reply that is there and makes no sense. */
export function badReply(problem: string): ProviderError {
  return new ProviderError('EXECUTION.PROVIDER.BAD_REPLY', problem);
}
