import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEFAULT_LIMITS } from '../../../src/domain/restrictions.js';
import { listProcesses } from '../../../src/infrastructure/sandbox/process-table.js';
import type { StartedProcess } from '../../../src/ports/sandbox.js';
import { codeOf } from '../../infrastructure/sandbox/fixture.js';
import { childProgram } from '../../support/child-program.js';
import { KernelFixture } from './kernel-fixture.js';

const MIB = 1024 * 1024;

/** Ones that only a test would start, so that they can be found on the host. */
const sleepers = (seconds: string) =>
  listProcesses().filter(({ pid }) => commandOf(pid).startsWith(`sleep ${seconds}`));

describe('the limits of a sandbox', () => {
  let fixture: KernelFixture;
  beforeAll(() => {
    fixture = new KernelFixture();
  });
  afterAll(() => fixture.remove());

  it('end what uses too much memory, all processes together, and say so', async () => {
    const limits = { ...DEFAULT_LIMITS, memoryBytes: 128 * MIB };
    const both = `perl -e '$x = "x" x (100 << 20); sleep 2' & perl -e '$x = "x" x (100 << 20)' || exit 9; wait $! || exit 9`;
    const sum = await fixture.shell(both, { limits });
    expect([sum.exitCode, sum.enforcement.memory]).not.toEqual([0, 'kernel']);
    expect(sum.enforcement.reasons).toContain('memory: ended by the memory limit');
    const hog = await fixture.shell(`perl -e '$x = "x" x (400 << 20)'`, { limits });
    expect(hog).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
    expect(hog.enforcement.reasons).toContain('memory: ended by the memory limit');
    expect((await fixture.shell('node -e 0', { limits })).exitCode).toBe(0);
  });

  it('bound the number of processes', async () => {
    const limits = { ...DEFAULT_LIMITS, pids: 8 };
    const { output, enforcement } = await fixture.shell(
      'for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 0.2 & done; wait; echo end',
      { limits },
    );
    expect(enforcement.pids).toBe('kernel');
    expect(output).toMatch(/fork/i);
    const bomb = await fixture.shell(':(){ :|:& };:', { limits }, { signal: AbortSignal.timeout(1_000) });
    expect(bomb.enforcement.killTree).toBe('kernel');
  });

  it('bound files and core dumps', async () => {
    const { signal, exitCode } = await fixture.shell('ulimit -c; exec head -c 1100M /dev/zero > big', {
      limits: { ...DEFAULT_LIMITS, memoryBytes: 256 * MIB },
    });
    expect({ signal, exitCode }).not.toEqual({ signal: null, exitCode: 0 });
    await fixture.output('rm -f big');
  });

  it('leave nothing alive: no grandchild, no session of its own, no daemon', async () => {
    const { output } = await fixture.shell(
      'setsid sleep 98761 & (setsid sh -c "sleep 98761 & sleep 98761 &" &); nohup sleep 98761 >/dev/null 2>&1 & echo started',
    );
    expect(output).toBe('started\n');
    expect(sleepers('98761')).toEqual([]);
  });

  it('end everything when the time is over, and what does not listen as well', async () => {
    const outcome = await fixture.shell(
      "trap '' TERM; setsid sh -c \"trap '' TERM; touch deaf; while :; do sleep 98762; done\" & echo up; while :; do sleep 98762; done",
      {},
      { signal: fixture.abortedBy('ws/deaf') },
    );
    expect(outcome).toMatchObject({ output: 'up\n', exitCode: null, signal: 'SIGKILL' });
    expect(sleepers('98762')).toEqual([]);
  });

  it('ask before they kill', async () => {
    const outcome = await fixture.shell(
      "trap 'echo bye; exit 3' TERM; echo up; touch listens; sleep 98763 & wait",
      {},
      { signal: fixture.abortedBy('ws/listens') },
    );
    expect(outcome).toMatchObject({ output: 'up\nbye\n', exitCode: 3 });
  });

  it('end a sandbox that is still being set up', async () => {
    const controller = new AbortController();
    const run = fixture.shell(
      'touch ran',
      {},
      { signal: controller.signal, onStart: () => controller.abort() },
    );
    expect(await codeOf(run)).toBe('EXECUTION.CALL.CANCELLED');
    expect(fixture.has('ws/ran')).toBe(false);
    expect(listProcesses().filter(({ pid }) => commandOf(pid).includes('touch ran'))).toEqual([]);
  });

  it('give the number of a process that takes everything with it', async () => {
    let started: StartedProcess | undefined;
    const run = fixture.shell(
      'setsid sleep 98764 & sleep 98764',
      {},
      {
        onStart: (process) => {
          started = process;
        },
      },
    );
    while (sleepers('98764').length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    process.kill(started?.pid ?? 0, 'SIGKILL');
    expect(await run).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
    expect(sleepers('98764')).toEqual([]);
  });

  it('hold after the death of the host, and for programs that it did not come to start', async () => {
    const program = childProgram(
      fixture.base,
      `import { BubblewrapSandbox } from '#src/infrastructure/sandbox/bubblewrap/bubblewrap-sandbox.js';
       import { NO_PERMISSIONS } from '#src/domain/restrictions.js';
       const root = ${JSON.stringify(fixture.root)};
       const permissions = { ...NO_PERMISSIONS, commands: 'any' as const, read: [root + '/**'], write: [root + '/**'] };
       const policy = { workspace: root, permissions, onUnavailable: 'deny' as const };
       const sandbox = new BubblewrapSandbox({ warm: 2 });
       const run = async (commandLine: string, onStart = () => {}) => sandbox.run(
         await sandbox.plan(policy, { kind: 'command-line', commandLine }),
         { signal: new AbortController().signal, onStart });
       void (async () => {
         await run('true');
         await run('true');
         void run('echo up > up; setsid sleep 98765 & sleep 98765').catch(() => {});
         while (!require('fs').existsSync(root + '/up')) await new Promise((resolve) => setTimeout(resolve, 10));
         await run('touch never', () => process.kill(process.pid, 'SIGKILL'));
       })();`,
    );
    const host = spawn(process.execPath, [program], { stdio: 'ignore' });
    await once(host, 'exit');
    while (sleepers('98765').length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(fixture.has('ws/up')).toBe(true);
    expect(fixture.has('ws/never')).toBe(false);
  });
});

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
