import { spawnSync } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { descriptorTrial } from '../../../../src/interfaces/cli/doctor/descriptor-trial.js';
import { runTrials } from '../../../../src/interfaces/cli/doctor/run-trials.js';
import { Stage } from '../../../../src/interfaces/cli/doctor/stage.js';
import type { ProcessPlan } from '../../../../src/ports/sandbox.js';
import { FakeSandbox } from '../../../../src/testing/fake-sandbox.js';

const { signal } = new AbortController();

/** Tries it with a sandbox that passes a descriptor on, or does not. */
async function verdictWith({ isLeaky, isOpen = true }: { isLeaky: boolean; isOpen?: boolean }) {
  const stage = new Stage();
  const file = join(stage.outside, 'left-open');
  writeFileSync(file, stage.secret);
  const descriptor = openSync(file, 'r');
  const between = Array.from({ length: descriptor - 3 }, () => 'ignore' as const);
  const run = ({ argv: [program = '', ...args] }: ProcessPlan) => {
    const more = isLeaky ? [...between, descriptor] : [];
    return {
      output: spawnSync(program, args, { stdio: ['ignore', 'pipe', 'ignore', ...more] }).output.join(''),
    };
  };
  try {
    const trial = descriptorTrial(stage.secret, isOpen ? descriptor : 1000);
    const [result] = await runTrials([trial], { sandbox: new FakeSandbox(run), stage, signal });
    return result?.verdict;
  } finally {
    closeSync(descriptor);
    stage.close();
  }
}

describe('descriptorTrial', () => {
  it('sees a file that was passed on', async () => {
    expect(await verdictWith({ isLeaky: true })).toBe('escaped');
  });

  it('sees that none was', async () => {
    expect(await verdictWith({ isLeaky: false })).toBe('held');
  });

  it('says nothing where there was none to pass on', async () => {
    expect(await verdictWith({ isLeaky: true, isOpen: false })).toBe('untried');
  });
});
