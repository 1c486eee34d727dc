import { DeniedError, ToolgateError } from '../../../domain/errors.js';
import { isJsonObject, type Json } from '../../../domain/json.js';

export type Headers = Readonly<Record<string, string>>;

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
// Tab and what Latin-1 can show: anything else ends a header early, or cannot be sent.
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
// These say where a request goes and where it ends; a model that sets them could smuggle a second one.
const OURS =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|http2-settings|proxy-.*)$/;
const CREDENTIALS = /auth|cookie|token|secret|key|session|credential/;

/** A model's headers, names in lower case. Refuses what would change the target or the framing of the request. */
export function checkHeaders(value: Json | undefined): Headers {
  const headers = new Map<string, string>();
  for (const [name, text] of Object.entries(isJsonObject(value) ? value : {})) {
    const lower = name.toLowerCase();
    if (!NAME.test(name)) throw invalid(`${JSON.stringify(name)} is not a header name`);
    if (typeof text !== 'string' || !VALUE.test(text)) {
      throw invalid(`the value of header "${name}" holds a line break or a character no header can hold`);
    }
    if (OURS.test(lower))
      throw new DeniedError(`header "${name}" is set by the tool itself and cannot be given`);
    if (headers.has(lower)) throw invalid(`header "${name}" is given twice`);
    headers.set(lower, text);
  }
  return Object.fromEntries(headers);
}

/** What may be told to another origin than the one it was meant for. */
export function withoutCredentials(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !CREDENTIALS.test(name)));
}

/** Headers that described a body which is not sent any more. */
export function withoutBodyHeaders(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('content-')));
}

function invalid(problem: string): ToolgateError {
  return new ToolgateError('EXECUTION.CALL.INVALID_ARGUMENTS', problem);
}
