import { messageOf, ToolgateError } from '../domain/errors.js';
import { codeOfStatus } from '../domain/provider-status.js';
import { redactShapes } from '../domain/secret-shapes.js';

/**
 * What a model of the AI SDK threw, as every other provider would tell it. Its own error is not handed on: it holds the
 * whole request, and may quote a key.
 */
export function modelFailure(name: string, error: unknown): ToolgateError {
  const { statusCode, message } = membersOf(error);
  const said = typeof message === 'string' ? message : messageOf(error);
  const status = typeof statusCode === 'number' ? statusCode : 0;
  const head = status > 0 ? `${name}: ${status}` : name;
  return new ToolgateError(codeOfStatus(status), redactShapes(`${head}: ${said}`));
}

/** Errors in a stream may be any value; those of an API have a status, whichever package they come from. */
function membersOf(error: unknown): Readonly<Record<string, unknown>> {
  return typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {};
}
