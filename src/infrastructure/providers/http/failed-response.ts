import { parseJson } from '../../../domain/parse-json.js';
import { type FailureFacts, failureOf, failureOfBody } from './error-body.js';
import type { ModelResponse } from './model-transport.js';
import type { ProviderError } from './provider-error.js';

/** An error says what it has to say in less; more is not read. */
const MAX_ERROR_BYTES = 64 * 1024;

/** What a response that is no success says went wrong. */
export async function failureOfResponse(response: ModelResponse): Promise<ProviderError> {
  const { status } = response;
  const facts = {
    status,
    requestId: header(response, 'request-id') ?? header(response, 'x-request-id'),
    retryAfterMs: retryAfter(response),
    shouldRetry: shouldRetry(response),
  };
  if (status >= 300 && status < 400) {
    const location = header(response, 'location') ?? 'nowhere';
    const message = `${status}: a redirect to ${location.slice(0, 200)}, which is not followed; is base_url right?`;
    return failureOf(status, message);
  }
  return failureOfText(await readStart(response), facts);
}

/** What went wrong, as a text tells it: an error object, or words. */
export function failureOfText(text: string, facts: FailureFacts = {}): ProviderError {
  const body = parseJson(text);
  if (body !== undefined) return failureOfBody(body, facts);
  const { status = 0 } = facts;
  return failureOf(status, `${status > 0 ? `${status}: ` : ''}${excerpt(text)}`, facts);
}

async function readStart({ body }: ModelResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= MAX_ERROR_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MAX_ERROR_BYTES).toString('utf8');
}

/** What a gateway's page says: its title, or how it begins. */
export function excerpt(text: string): string {
  if (text.trim() === '') return 'no message';
  const title = /<title[^>]{0,200}>([^<]{1,300})/i.exec(text.slice(0, 10_000))?.[1];
  if (title !== undefined) return `an HTML page: ${oneLine(title)}`;
  return JSON.stringify(oneLine(text.slice(0, 500)).slice(0, 200));
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function header({ headers }: ModelResponse, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

function shouldRetry(response: ModelResponse): boolean | undefined {
  const value = header(response, 'x-should-retry');
  return value === 'true' ? true : value === 'false' ? false : undefined;
}

/** In milliseconds, in seconds, or a date. */
function retryAfter(response: ModelResponse): number | undefined {
  const ms = Number(header(response, 'retry-after-ms') ?? Number.NaN);
  if (ms >= 0) return ms;
  const value = header(response, 'retry-after');
  if (value === undefined) return undefined;
  const seconds = Number(value);
  const wait = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1000;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
