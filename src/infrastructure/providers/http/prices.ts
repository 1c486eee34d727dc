import type { Usage } from '../../../domain/message.js';

/** US dollars for a million tokens. Without a price of its own, what was cached costs what input costs. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  /** The price of a request with more input than this many tokens. */
  readonly above?: { readonly tokens: number; readonly price: Price };
  /** The user's own, not one of our tables. */
  readonly isGiven?: boolean;
}

export type PriceTable = Readonly<Record<string, Price>>;

/** The price of a model by its name, which may end in a date or in `-latest`. A name that is only alike has none. */
export function priceOf(model: string, table: PriceTable): Price | undefined {
  const name = model.replace(/^models\//, '').replace(/(?:[-@](?:\d{8}|\d{4}-\d{2}-\d{2})|-latest)$/, '');
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Why a limit of money does not hold a model, where its price is nowhere. */
export function costUnknown(model: string, price: Price | undefined): string | undefined {
  if (price) return undefined;
  return `the price of "${model}" is not known, unless its server tells it with every reply; give \`prices\` among the step's options`;
}

/** The usage with what it costs, if that is known. The user knows best, then the provider that says so itself. */
export function withCost(usage: Usage, price: Price | undefined): Usage {
  if (!price || (usage.costUsd !== undefined && !price.isGiven)) return usage;
  const { above } = price;
  const {
    input,
    output,
    cacheRead = input,
    cacheWrite = input,
  } = above && usage.inputTokens > above.tokens ? above.price : price;
  const { cacheReadTokens: read = 0, cacheWriteTokens: written = 0 } = usage;
  const plain = usage.inputTokens - read - written;
  const dollars = plain * input + read * cacheRead + written * cacheWrite + usage.outputTokens * output;
  return { ...usage, costUsd: dollars / 1e6 };
}
