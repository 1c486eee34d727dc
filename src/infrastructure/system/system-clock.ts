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

  /** Sorts by time and is easy to type: `20261116-093512-4f9a1c`. */
  newRunId(): string {
    const stamp = new Date(this.now()).toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
    return `${stamp}-${randomBytes(3).toString('hex')}`;
  }
}
