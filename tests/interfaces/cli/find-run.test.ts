import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findRun } from '../../../src/interfaces/cli/find-run.js';
import type { CliFixture } from './fixture.js';
import { createInterruptible, interruptedRun } from './interrupted-run.js';

const journal = { list: async () => ['20261116-2', '20261116-1', '20261115-1', '20261115'] };
const io = { cwd: '/', env: {} };

describe('findRun', () => {
  it.each([
    ['20261116-1', '20261116-1'],
    ['20261116-2', '20261116-2'],
    ['20261115', '20261115'],
    ['20261115-', '20261115-1'],
  ])('takes %s for %s', async (named, runId) => {
    expect(await findRun(journal, { named, io })).toBe(runId);
  });

  it.each([
    ['2026', 'the beginning of 4 runs (20261116-2, '],
    ['', 'There is no run ""'],
    ['../x', 'There is no run'],
  ])('refuses %j', async (named, problem) => {
    await expect(findRun(journal, { named, io })).rejects.toMatchObject({
      code: 'USER.RUN.NOT_FOUND',
      message: expect.stringContaining(problem),
    });
  });
});

describe('latest', () => {
  let cli: CliFixture;
  let other: string;
  let runId: string;

  beforeEach(async () => {
    cli = await createInterruptible();
    other = join(cli.workspace, '..', 'other');
    await mkdir(other);
    runId = await interruptedRun(cli);
  });

  afterEach(() => cli.remove());

  it.each([['audit'], ['report'], ['approve'], ['resume']])(
    'is for `%s` the newest run of the workspace, never that of another',
    async (command) => {
      const { code, out, err } = await cli.runWith({ cwd: other }, command, 'latest');
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toContain(`There are no runs of ${other} yet`);
    },
  );

  it('is of the workspace that is named, as with `runs`', async () => {
    const there = ['--workspace', cli.workspace];
    expect((await cli.runWith({ cwd: other }, 'audit', 'latest', ...there)).out).toContain(runId);
    expect((await cli.runWith({ cwd: other }, 'report', 'latest', ...there)).out).toContain(runId);
  });

  it('leaves ids and their beginnings to work from everywhere', async () => {
    expect((await cli.runWith({ cwd: other }, 'audit', runId)).out).toContain(runId);
    expect((await cli.runWith({ cwd: other }, 'audit', runId.slice(0, -1))).out).toContain(runId);
  });
});
