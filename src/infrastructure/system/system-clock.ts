import { randomBytes } from 'node:crypto';
import type { Clock } from '../../ports/clock.js';

/** The machine's own clock and chance. */
export class SystemClock implements Clock {
  now(): number {
    return Date.now();
  }

  elapsed(): number {
    return performance.now();
  }

  /** Sorts by time, to the millisecond, and is easy to type: `20261116-093512-1c84f9a1`. */
  newRunId(): string {
    const now = this.now();
    const stamp = new Date(now).toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
    const milliseconds = (now % 1000).toString(16).padStart(3, '0');
    return `${stamp}-${milliseconds}${randomBytes(3).toString('hex').slice(1)}`;
  }
}
