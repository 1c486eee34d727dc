import { isObject, own } from '../json/own.js';
import type { JsonObject } from '../types.js';

const MAX_MESSAGE = 500;

/** What a provider says went wrong, in an event or in place of a body; undefined when it says nothing of the kind. */
export function errorMessage(event: JsonObject): string | undefined {
  const error = own(event, 'error');
  const holder = isObject(error) ? error : event;
  const message = own(holder, 'message');
  const isError = own(event, 'type') === 'error' || (isObject(error) && typeof message === 'string');
  // A member of that name is an error only where there is little else.
  if (typeof error === 'string' && error !== '' && Object.keys(event).length <= 2) return shorten(error);
  if (!isError) return undefined;
  return shorten(typeof message === 'string' ? message : 'no message was given');
}

function shorten(message: string): string {
  return message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message;
}
