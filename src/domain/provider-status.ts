import type { ErrorCode } from './errors.js';

export type ProviderErrorCode = Extract<ErrorCode, `EXECUTION.PROVIDER.${string}`>;

const CODE_OF_STATUS: Readonly<Record<number, ProviderErrorCode>> = {
  401: 'EXECUTION.PROVIDER.AUTH',
  402: 'EXECUTION.PROVIDER.QUOTA',
  403: 'EXECUTION.PROVIDER.AUTH',
  408: 'EXECUTION.PROVIDER.TIMEOUT',
  429: 'EXECUTION.PROVIDER.RATE_LIMITED',
  503: 'EXECUTION.PROVIDER.OVERLOADED',
  504: 'EXECUTION.PROVIDER.TIMEOUT',
  529: 'EXECUTION.PROVIDER.OVERLOADED',
};

/** What a model's API means by a status that is no success; 0 where there was none. */
export function codeOfStatus(status: number): ProviderErrorCode {
  const isMistake = status >= 300 && status < 500;
  return (
    CODE_OF_STATUS[status] ?? (isMistake ? 'EXECUTION.PROVIDER.INVALID_REQUEST' : 'EXECUTION.PROVIDER.FAILED')
  );
}
