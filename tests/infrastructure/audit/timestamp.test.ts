import { describe, expect, it } from '@jest/globals';
import { toTimestamp } from '../../../src/infrastructure/audit/timestamp.js';

describe('toTimestamp', () => {
  it.each([0, 1_700_000_000_123, Date.UTC(2026, 6, 1, 23, 59, 59, 999)])(
    'names the instant %i exactly',
    (at) => {
      const text = toTimestamp(at);
      expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/);
      expect(Date.parse(text)).toBe(at);
    },
  );
});
