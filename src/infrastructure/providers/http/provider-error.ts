import type { Usage } from '../../../domain/message.js';
import type { ProviderErrorCode } from '../../../domain/provider-status.js';
import { ReplyError } from '../../../domain/reply-error.js';

export interface ProviderErrorOptions {
  /** Whether the same request may be answered if it is sent again. */
  readonly retry?: boolean;
  /** How long the provider asks to wait first. */
  readonly retryAfterMs?: number | undefined;
  /** What a reply that is of no use has cost. */
  readonly usage?: Usage | undefined;
}

/** A reply that could not be had. The message is the provider's own where it has one, and never holds a key. */
export class ProviderError extends ReplyError {
  override readonly name = 'ProviderError';
  readonly retry: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(
    code: ProviderErrorCode,
    message: string,
    { retry = false, retryAfterMs, usage }: ProviderErrorOptions = {},
  ) {
    super(code, message, usage);
    this.retry = retry;
    this.retryAfterMs = retryAfterMs;
  }

  /** The same failure in other words, and with what is known of its cost. */
  reworded(message: string, usage: Usage | undefined): ProviderError {
    const { retry, retryAfterMs } = this;
    return new ProviderError(this.code as ProviderErrorCode, message, { retry, retryAfterMs, usage });
  }
}

/** A reply that is there and makes no sense. */
export function badReply(problem: string, usage?: Usage): ProviderError {
  return new ProviderError('EXECUTION.PROVIDER.BAD_REPLY', problem, { usage });
}

/** Why there is no reply where the provider says nothing but that. */
export const FILTERED = 'the reply was held back by a content filter';

/** A reply that says no, from the model or from a filter before it. It is paid for like any other. */
export function refused(why: string, usage: Usage | undefined): ProviderError {
  return new ProviderError('EXECUTION.PROVIDER.REFUSED', `the model refuses to answer: ${why}`, { usage });
}
