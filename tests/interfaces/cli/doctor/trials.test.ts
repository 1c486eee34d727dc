import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ProcessSandbox } from '../../../../src/infrastructure/sandbox/process-sandbox.js';
import { FILE_TRIALS } from '../../../../src/interfaces/cli/doctor/file-trials.js';
import { findProcesses } from '../../../../src/interfaces/cli/doctor/find-processes.js';
import type { TrialResult } from '../../../../src/interfaces/cli/doctor/judge.js';
import { LIMIT_TRIALS } from '../../../../src/interfaces/cli/doctor/limit-trials.js';
import { NETWORK_TRIALS } from '../../../../src/interfaces/cli/doctor/network-trials.js';
import { PROCESS_TRIALS } from '../../../../src/interfaces/cli/doctor/process-trials.js';
import { runTrials } from '../../../../src/interfaces/cli/doctor/run-trials.js';
import { Stage } from '../../../../src/interfaces/cli/doctor/stage.js';
import { FakeSandbox } from '../../../../src/testing/fake-sandbox.js';

const TRIALS = [...FILE_TRIALS, ...NETWORK_TRIALS, ...PROCESS_TRIALS, ...LIMIT_TRIALS];
const { signal } = new AbortController();

describe('the escapes of doctor, without a kernel layer', () => {
  let stage: Stage;
  let results: ReadonlyMap<string, TrialResult>;
  beforeAll(async () => {
    stage = new Stage();
    const tried = await runTrials(TRIALS, { sandbox: new ProcessSandbox(), stage, signal });
    results = new Map(tried.map((result) => [result.id, result]));
  }, 60_000);
  afterAll(() => {
    stage.close();
  });

  it.each([
    'write-outside',
    'read-outside',
    'remount',
    'connect-loopback',
    'connect-unix',
    'read-environment',
    'outlive-call',
    'memory-together',
    'processes',
  ])('sees that %s gets out', (id) => {
    expect(results.get(id)).toMatchObject({ verdict: 'escaped', heldBy: 'none' });
  });

  it('sees that one process is held to its memory', () => {
    expect(results.get('memory')).toMatchObject({ verdict: 'held', heldBy: 'in-process' });
  });

  it('never calls held what the machine may refuse by itself', () => {
    expect(['escaped', 'unheld']).toContain(results.get('user-namespace')?.verdict);
    expect(['escaped', 'inapplicable']).toContain(results.get('connect-public')?.verdict);
  });

  it('leaves nothing behind', () => {
    const planted = ['written', 'secret'].flatMap((name) => stage.outsidePaths(name));
    expect(stage.close()).toEqual([]);
    expect([...planted, stage.base].filter((path) => existsSync(path))).toEqual([]);
    expect(findProcesses(stage.base)).toEqual([]);
    expect(Object.keys(process.env)).not.toContain('TOOLGATE_DOCTOR_SECRET');
  });
});

describe('runTrials', () => {
  it('calls nothing held that was not tried', async () => {
    const stage = new Stage();
    const offline = new Set(['connect-public']);
    const trials = TRIALS.filter(({ id }) => !offline.has(id));
    const results = await runTrials(trials, { sandbox: new FakeSandbox(), stage, signal });
    stage.close();
    expect(results.map(({ verdict }) => verdict)).toEqual(trials.map(() => 'untried'));
  });

  it('says why a process was refused', async () => {
    const stage = new Stage();
    const sandbox = new FakeSandbox(() => {
      throw new Error('no processes here');
    });
    const results = await runTrials(FILE_TRIALS, { sandbox, stage, signal });
    stage.close();
    expect(results.map(({ verdict, detail }) => ({ verdict, detail }))).toEqual(
      FILE_TRIALS.map(() => ({ verdict: 'untried', detail: 'no processes here' })),
    );
  });

  it('stops when it is told to', async () => {
    const stage = new Stage();
    const aborted = AbortSignal.abort(new Error('enough'));
    const running = runTrials(TRIALS, { sandbox: new FakeSandbox(), stage, signal: aborted });
    await expect(running).rejects.toThrow('enough');
    stage.close();
  });
});
