import { describe, expect, it } from '@jest/globals';
import { SystemClock } from '../../../src/infrastructure/system/system-clock.js';

describe('the id of a run', () => {
  it('sorts by the time at which the run began, also within a second', () => {
    const clock = new SystemClock();
    const at = (now: number) => Object.assign(clock, { now: () => now }).newRunId();
    const ids = [1_000_000_000_001, 1_000_000_000_017, 1_000_000_000_999, 1_000_000_001_000].map(at);
    expect([...ids].sort()).toEqual(ids);
    expect(ids[0]).toMatch(/^20010909-014640-001[0-9a-f]{5}$/);
  });
});
