import { describe, expect, it } from '@jest/globals';
import { runBatch } from '../../src/application/run-batch.js';

const LIMITS = { maxParallel: 2, isExclusive: () => false };

describe('runBatch', () => {
  it('gives the answers in the order of the items', async () => {
    const wait = (ms: number) => new Promise<number>((done) => setTimeout(() => done(ms), ms));
    expect(await runBatch([9, 1, 4], LIMITS, wait)).toEqual([9, 1, 4]);
  });

  it('starts nothing after one has failed, waits for the rest and throws the first error', async () => {
    const started: number[] = [];
    let slowEnded = false;
    const work = async (item: number): Promise<void> => {
      started.push(item);
      if (item === 1) throw new Error('first');
      await new Promise((done) => setTimeout(done, 5));
      slowEnded = true;
      throw new Error('second');
    };
    await expect(runBatch([0, 1, 2, 3], LIMITS, work)).rejects.toThrow('first');
    expect(started).toEqual([0, 1]);
    expect(slowEnded).toBe(true);
  });

  it('runs a hundred at once if it may', async () => {
    let running = 0;
    let most = 0;
    const items = Array.from({ length: 100 }, (_, index) => index);
    await runBatch(items, { ...LIMITS, maxParallel: 100 }, async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((done) => setTimeout(done, 1));
      running -= 1;
    });
    expect(most).toBe(100);
  });
});
