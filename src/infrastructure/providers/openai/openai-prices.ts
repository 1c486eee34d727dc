import type { Price, PriceTable } from '../http/prices.js';

function price(input: number, cacheRead: number, output: number): Price {
  return { input, cacheRead, output };
}

/** List prices as they were known when this was written; `options.prices` beats them. */
export const OPENAI_PRICES: PriceTable = {
  'gpt-5.1': price(1.25, 0.125, 10),
  'gpt-5': price(1.25, 0.125, 10),
  'gpt-5-mini': price(0.25, 0.025, 2),
  'gpt-5-nano': price(0.05, 0.005, 0.4),
  'gpt-4.1': price(2, 0.5, 8),
  'gpt-4.1-mini': price(0.4, 0.1, 1.6),
  'gpt-4.1-nano': price(0.1, 0.025, 0.4),
  'gpt-4o': price(2.5, 1.25, 10),
  'gpt-4o-mini': price(0.15, 0.075, 0.6),
  o3: price(2, 0.5, 8),
  'o4-mini': price(1.1, 0.275, 4.4),
  'o3-mini': price(1.1, 0.55, 4.4),
  o1: price(15, 7.5, 60),
};
