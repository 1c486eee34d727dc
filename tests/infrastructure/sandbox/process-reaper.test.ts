import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { SystemProcessReaper } from '../../../src/infrastructure/sandbox/process-reaper.js';
import {
  listProcesses,
  readProcess,
  startTimeOf,
} from '../../../src/infrastructure/sandbox/process-table.js';
import { NEVER } from './fixture.js';

const reaper = new SystemProcessReaper();

describe('SystemProcessReaper', () => {
  const started: ChildProcess[] = [];
  const membersOf = (group: number) => listProcesses().filter((entry) => entry.group === group);
  afterEach(() => {
    for (const child of started.splice(0)) {
      if (membersOf(child.pid ?? 0).length > 0) process.kill(-(child.pid ?? 0), 'SIGKILL');
      child.stdout?.destroy();
    }
  });

  /** A group with a leader that has said it is ready. */
  const startGroup = async (script: string) => {
    const child = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
    started.push(child);
    const pid = child.pid ?? 0;
    const startTime = startTimeOf(pid);
    await once(child.stdout, 'data');
    return { child, pid, startTime };
  };
  it('ends a group that was left behind, children and all', async () => {
    const { pid, startTime } = await startGroup('sleep 600 & sleep 600 & echo ready; wait');
    expect(membersOf(pid)).toHaveLength(3);
    expect(await reaper.end({ pid, startTime }, { signal: NEVER })).toBe('gone');
    expect(membersOf(pid)).toEqual([]);
  });

  it('ends a group that does not want to end', async () => {
    const { pid, startTime } = await startGroup("trap '' TERM; echo ready; while :; do sleep 1; done");
    expect(await reaper.end({ pid, startTime }, { signal: NEVER })).toBe('gone');
    expect(membersOf(pid)).toEqual([]);
  });

  it('ends what is left of a group whose leader is gone', async () => {
    const { child, pid, startTime } = await startGroup('sleep 600 >/dev/null & echo ready; read _');
    // Only now may the leader go: its start time has been read.
    child.stdin?.end();
    if (child.exitCode === null) await once(child, 'exit');
    expect(membersOf(pid)).toHaveLength(1);
    expect(await reaper.end({ pid, startTime }, { signal: NEVER })).toBe('gone');
    expect(membersOf(pid)).toEqual([]);
  });

  describe('what left the group', () => {
    /** A group and one that left it, both with this HOME; the pid of the latter. */
    const startWithStray = async (home: string) => {
      const script = 'setsid sleep 600 >/dev/null & echo $!; read _';
      const child = spawn('/bin/sh', ['-c', script], {
        detached: true,
        stdio: ['pipe', 'pipe', 'ignore'],
        env: { PATH: process.env.PATH, HOME: home },
      });
      started.push(child);
      const pid = child.pid ?? 0;
      const startTime = startTimeOf(pid);
      const [said] = await once(child.stdout, 'data');
      const stray = Number(String(said));
      // It is in the group until it has become setsid, and setsid has done what it is for.
      while (readProcess(stray)?.group === pid) await setImmediate();
      return { pid, startTime, stray, child };
    };

    it('is ended too, by the HOME that only it has', async () => {
      const home = '/tmp/toolgate-home-Reaper1';
      const { pid, startTime, stray } = await startWithStray(home);
      expect(await reaper.end({ pid, startTime, home }, { signal: NEVER })).toBe('gone');
      expect(readProcess(stray)).toBeUndefined();
    });

    it('is ended although the group is gone', async () => {
      const home = '/tmp/toolgate-home-Reaper2';
      const { child, pid, startTime, stray } = await startWithStray(home);
      child.stdin?.end();
      if (child.exitCode === null) await once(child, 'exit');
      expect(readProcess(stray)).toBeDefined();
      expect(await reaper.end({ pid, startTime, home }, { signal: NEVER })).toBe('gone');
      expect(readProcess(stray)).toBeUndefined();
    });

    it('is left alone where the HOME is not one that only a call has', async () => {
      const { pid, startTime, stray } = await startWithStray('/tmp');
      await reaper.end({ pid, startTime, home: '/tmp' }, { signal: NEVER });
      expect(readProcess(stray)).toBeDefined();
      process.kill(stray, 'SIGKILL');
    });
  });

  it('leaves a process alone that only has the same number', async () => {
    const { pid, startTime } = await startGroup('echo ready; sleep 600');
    const [boot, ticks] = startTime.split(':');
    const other = { pid, startTime: `${boot}:${Number(ticks) - 1}` };
    const earlier = { pid, startTime: `00000000-0000-0000-0000-000000000000:${ticks}` };
    expect(await reaper.end(other, { signal: NEVER })).toBe('gone');
    expect(await reaper.end(earlier, { signal: NEVER })).toBe('gone');
    expect(readProcess(pid)).toBeDefined();
  });

  it('touches nothing whose start is not known, and says whether it is there', async () => {
    const { child, pid } = await startGroup('echo ready; sleep 600');
    expect(await reaper.end({ pid, startTime: '' }, { signal: NEVER })).toBe('still-running');
    expect(readProcess(pid)).toBeDefined();
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await reaper.end({ pid, startTime: '' }, { signal: NEVER })).toBe('gone');
  });

  it('stops waiting when it is told to', async () => {
    const { pid, startTime } = await startGroup("trap '' TERM; echo ready; while :; do sleep 1; done");
    const before = performance.now();
    await reaper.end({ pid, startTime }, { signal: AbortSignal.abort() });
    expect(performance.now() - before).toBeLessThan(400);
  });
});
