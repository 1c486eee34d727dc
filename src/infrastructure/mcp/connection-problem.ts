import { messageOf } from '../../domain/errors.js';
import { clipped } from './server-said.js';

const MAX_BODY = 300;

/** Why a server did not answer as it should, in words that say what to look at. */
export function reasonOf(error: unknown): string {
  const status = statusOf(error);
  const words = messageOf(error).replace(/^(?:MCP error -?\d+: |Streamable HTTP error: )+/, '');
  if (status === undefined) return clipped(words);
  const body = words.replace(/^Error POSTing to endpoint: ?/, '').slice(0, MAX_BODY);
  const answer = `it answered ${status}${body === '' ? '' : ` (${body})`}`;
  return status === 401 || status === 403
    ? `${answer}; give it the credentials that it asks for with \`headers\``
    : answer;
}

/** Whether a request certainly had no effect: nobody listened, or the session that it belongs to is forgotten. */
export function isUnheard(error: unknown): boolean {
  return statusOf(error) === 404 || codeOf(error) === 'ECONNREFUSED';
}

function statusOf(error: unknown): number | undefined {
  const code = codeOf(error);
  return typeof code === 'number' && code >= 100 && code < 600 ? code : undefined;
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
