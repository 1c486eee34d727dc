import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { StepSignal } from '../../src/application/step-signal.js';

describe('StepSignal', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('fires when the time is surely up, also by a clock that is a millisecond behind the timers', () => {
    using signal = new StepSignal(new AbortController().signal);
    signal.arm(5);
    jest.advanceTimersByTime(5);
    expect(signal.signal.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    expect(signal.signal.aborted).toBe(true);
    expect(signal.isCancelled).toBe(false);
  });

  it('fires at once for a time that is past, and never for one that no timer can wait for', () => {
    using past = new StepSignal(new AbortController().signal);
    using never = new StepSignal(new AbortController().signal);
    past.arm(-5);
    never.arm(Number.POSITIVE_INFINITY);
    jest.advanceTimersByTime(1);
    expect([past.signal.aborted, never.signal.aborted]).toEqual([true, false]);
  });
});
