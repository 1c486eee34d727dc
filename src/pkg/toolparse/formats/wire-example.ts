import type { Json } from '../types.js';
import type { FormatExample } from './declaration.js';

/** The call that every example holds. */
export const EXAMPLE_CALL = { name: 'get_weather', arguments: { city: 'Oslo' } } as const;

/** The same as JSON text. */
export const EXAMPLE_ARGUMENTS = '{"city":"Oslo"}';

/** A body as an example. */
export function wireExample(body: Json): FormatExample {
  return { ...EXAMPLE_CALL, text: JSON.stringify(body) };
}
