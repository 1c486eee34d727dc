import type { FormatExample } from './declaration.js';

/** The one call that every format shows itself with. */
const SHOWN = { name: 'get_weather', arguments: { city: 'Oslo' } } as const;

/** An example of that call, as a format writes it. */
export function shown(text: string): FormatExample {
  return { ...SHOWN, text };
}
