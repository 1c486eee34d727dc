import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.js';
import { codeOfStatus } from '../../../domain/provider-status.js';
import { ProviderError, type ProviderErrorOptions } from './provider-error.js';
import { toolsAdvice } from './tools-advice.js';

const PASSING = new Set([408, 409, 429]);
/** Failures of a server that are there the next time too: it cannot do this, or somebody must log in first. */
const LASTING = new Set([501, 505, 511]);

/** What an error's `type` stands for where no status comes with it, as in the middle of a stream. */
const STATUS_OF_TYPE: Readonly<Record<string, number>> = {
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  invalid_request_error: 400,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  api_error: 500,
  server_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

/** Limits that somebody must raise, or pay for: to ask again is no use. */
const SPENT = new Set(['enforced_spend_limit_reached', 'insufficient_quota', 'billing_hard_limit_reached']);

/** What is known of a failure beside its body. */
export interface FailureFacts {
  readonly status?: number;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  /** The provider says itself whether to try again. */
  readonly shouldRetry?: boolean | undefined;
}

/** The failure that a provider's error object tells of: `{ error: { type, message } }` in all its spellings. */
export function failureOfBody(body: Json, facts: FailureFacts = {}): ProviderError {
  const error = errorOf(body);
  const type = [error.type, error.status, error.code].find(isTelling);
  const status = facts.status ?? numberOf(error.code) ?? STATUS_OF_TYPE[type ?? ''] ?? 0;
  const requestId = facts.requestId ?? (isJsonObject(body) ? textOf(body.request_id) : undefined);
  const said = (textOf(error.message) ?? 'no message').slice(0, 2_000);
  const head = [status > 0 ? `${status}` : '', type ?? ''].filter((part) => part !== '').join(' ');
  const message = `${head === '' ? '' : `${head}: `}${said}${requestId ? ` [request ${requestId}]` : ''}`;
  return failureOf(status, message, { ...facts, ...retryHint(error), isSpent: isSpent(error) });
}

/** The failure that a status alone tells of. */
export function failureOf(
  status: number,
  said: string,
  { shouldRetry, retryAfterMs, isSpent: spent = false }: FailureFacts & { readonly isSpent?: boolean } = {},
): ProviderError {
  const message = `${said}${toolsAdvice(said)}`;
  if (spent) return new ProviderError('EXECUTION.PROVIDER.QUOTA', message);
  const options: ProviderErrorOptions = { retry: shouldRetry ?? isPassing(status) };
  return new ProviderError(
    codeOfStatus(status),
    message,
    retryAfterMs === undefined ? options : { ...options, retryAfterMs },
  );
}

function isPassing(status: number): boolean {
  return PASSING.has(status) || (status >= 500 && status < 600 && !LASTING.has(status));
}

function errorOf(body: Json): JsonObject {
  // Gemini puts the error of a stream into a list.
  const first: Json | undefined = Array.isArray(body) ? body[0] : body;
  if (typeof first === 'string') return { message: first };
  if (!isJsonObject(first)) return {};
  if (isJsonObject(first.error)) return first.error;
  return typeof first.error === 'string' ? { message: first.error } : first;
}

function isSpent(error: JsonObject): boolean {
  const details = isJsonObject(error.details) ? error.details : {};
  return [error.code, error.type, details.error_code].some((value) => SPENT.has(String(value)));
}

/** Google's `RetryInfo`, a detail like `{ "@type": "…RetryInfo", "retryDelay": "34s" }`. */
function retryHint({ details }: JsonObject): Pick<FailureFacts, 'retryAfterMs'> {
  const infos = Array.isArray(details) ? (details as readonly Json[]).filter(isJsonObject) : [];
  const delay = infos
    .map(({ retryDelay }) => /^(\d+(?:\.\d+)?)s$/.exec(String(retryDelay))?.[1])
    .find(Boolean);
  return delay === undefined ? {} : { retryAfterMs: Number(delay) * 1000 };
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A kind of error: that it is one is known already, and a number says it as a status. */
function isTelling(value: Json | undefined): value is string {
  return typeof value === 'string' && !/^(?:error|\d*)$/.test(value);
}

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'string' && /^\d{3}$/.test(value)
    ? Number(value)
    : typeof value === 'number'
      ? value
      : undefined;
}
