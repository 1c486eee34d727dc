import { describe, expect, it } from '@jest/globals';
import { SummedUsage } from '../../../../src/infrastructure/providers/http/summed-usage.js';

const price = { input: 1, output: 10, above: { tokens: 1_000, price: { input: 100, output: 100 } } };

describe('SummedUsage', () => {
  it('pays for each request by its own length, and has only the last in the context', () => {
    const usage = new SummedUsage(price);
    usage.add({ inputTokens: 800, outputTokens: 10 });
    expect(usage.counts()).toEqual({ usage: { inputTokens: 800, outputTokens: 10, costUsd: 900 / 1e6 } });
    usage.add({ inputTokens: 900, outputTokens: 20 });
    expect(usage.counts()).toEqual({
      usage: { inputTokens: 1_700, outputTokens: 30, costUsd: 2_000 / 1e6 },
      contextTokens: 920,
    });
  });

  it('knows nothing of a context whose last request was not counted, and nothing at all of none', () => {
    const usage = new SummedUsage(price);
    expect(usage.counts()).toEqual({});
    usage.add({ inputTokens: 800, outputTokens: 10 });
    usage.add(undefined);
    expect(usage.counts()).toMatchObject({ usage: { inputTokens: 800 }, contextTokens: 0 });
  });
});
