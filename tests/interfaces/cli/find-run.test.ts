import { describe, expect, it } from '@jest/globals';
import { findRun } from '../../../src/interfaces/cli/find-run.js';

const journal = { list: async () => ['20261116-2', '20261116-1', '20261115-1', '20261115'] };

describe('findRun', () => {
  it.each([
    ['20261116-1', '20261116-1'],
    ['20261116-2', '20261116-2'],
    ['20261115', '20261115'],
    ['latest', '20261116-2'],
    ['20261115-', '20261115-1'],
  ])('takes %s for %s', async (text, runId) => {
    expect(await findRun(journal, text)).toBe(runId);
  });

  it.each([
    ['2026', 'the beginning of 4 runs (20261116-2, '],
    ['', 'There is no run ""'],
    ['../x', 'There is no run'],
  ])('refuses %j', async (text, problem) => {
    await expect(findRun(journal, text)).rejects.toMatchObject({
      code: 'USER.RUN.NOT_FOUND',
      message: expect.stringContaining(problem),
    });
  });
});
