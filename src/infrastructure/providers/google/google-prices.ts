import type { Price, PriceTable } from '../http/prices.js';

/** Reading from the cache costs a tenth of input; writing to it costs nothing more. */
function price(input: number, output: number): Price {
  return { input, output, cacheRead: input * 0.1 };
}

/** Long prompts have a price of their own. */
function tiered(short: Price, long: Price): Price {
  return { ...short, above: { tokens: 200_000, price: long } };
}

/** List prices as they were known when this was written; `options.prices` beats them. */
export const GOOGLE_PRICES: PriceTable = {
  'gemini-3-pro-preview': tiered(price(2, 12), price(4, 18)),
  'gemini-3-flash-preview': price(0.5, 3),
  'gemini-2.5-pro': tiered(price(1.25, 10), price(2.5, 15)),
  'gemini-2.5-flash': price(0.3, 2.5),
  'gemini-2.5-flash-lite': price(0.1, 0.4),
};
