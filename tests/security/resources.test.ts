import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DEFAULT_LIMITS, type Permissions } from '../../src/domain/restrictions.js';
import { ProcessSandbox } from '../../src/infrastructure/sandbox/process-sandbox.js';
import { codeOf, Fixture } from '../infrastructure/sandbox/fixture.js';

const MIB = 1024 * 1024;
const LIMITS = { ...DEFAULT_LIMITS, memoryBytes: 256 * MIB, maxOutputBytes: MIB };

describe('resources', () => {
  let fixture: Fixture;
  const sandbox = new ProcessSandbox();
  beforeEach(() => {
    fixture = new Fixture();
  });
  afterEach(() => fixture.remove());

  const shell = async (commandLine: string, timeoutMs = 10_000, more: Partial<Permissions> = {}) => {
    const policy = fixture.policy({ commands: 'any', limits: LIMITS, ...more });
    const plan = await sandbox.plan(policy, { kind: 'command-line', commandLine });
    const started = performance.now();
    const outcome = await sandbox.run(plan, { signal: AbortSignal.timeout(timeoutMs) });
    return { ...outcome, ms: performance.now() - started };
  };

  describe('what a process leaves behind', () => {
    it.each([
      ['a child of its group', 'sleep MARK & wait', 300],
      ['a child after a good end', 'sleep MARK >/dev/null 2>&1 & exit 0', 10_000],
      ['a child that holds the pipe', 'sleep MARK >&1 & exit 0', 10_000],
      ['a child in a session of its own', 'setsid sleep MARK & wait', 300],
      ['a daemon after a good end', '(setsid nohup sleep MARK >/dev/null 2>&1 &) ; exit 0', 10_000],
      ['a daemon of a daemon', "setsid sh -c 'setsid sleep MARK & setsid sleep MARK &' ; exit 0", 10_000],
      ['one that ignores SIGTERM', "trap '' TERM; sleep MARK; sleep MARK; sleep MARK", 300],
      ['one that is stopped', 'sleep MARK & kill -STOP $!; wait', 300],
      ['a storm of forks', "while :; do sh -c 'sleep MARK' & done", 500],
    ])('is ended: %s', async (_, command, timeoutMs) => {
      const mark = `600.${process.pid}${Math.floor(Math.random() * 1e9)}`;
      const { ms, enforcement } = await shell(command.replaceAll('MARK', mark), timeoutMs);
      expect(processesWith(mark)).toEqual([]);
      expect(enforcement.killTree).toBe('in-process');
      expect(ms).toBeLessThan(5_000);
    });

    it('does not touch processes of others', async () => {
      const { output } = await shell('echo $PPID');
      expect(Number(output)).toBe(process.pid);
      expect(processesWith('jest').length).toBeGreaterThan(0);
    });
  });

  describe('output', () => {
    it.each([
      ['endless output', 'yes', 1_000],
      ['endless errors', 'yes >&2', 1_000],
      ['half a gigabyte without a line end', 'head -c 500000000 /dev/zero', 15_000],
    ])('is held in little memory: %s', async (_, command, timeoutMs) => {
      const before = process.memoryUsage().rss;
      const { output, truncated } = await shell(command, timeoutMs);
      expect(Buffer.byteLength(output)).toBeLessThan(MIB + 200);
      expect(output).toContain('bytes cut');
      expect(truncated?.keptBytes).toBeLessThanOrEqual(MIB);
      expect(truncated?.totalBytes).toBeGreaterThan(10 * MIB);
      expect(process.memoryUsage().rss - before).toBeLessThan(150 * MIB);
    });

    it('keeps no chunks of a fast process waiting for the collector of the engine', async () => {
      const before = process.memoryUsage().arrayBuffers;
      let peak = before;
      const timer = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage().arrayBuffers);
      }, 5);
      const { truncated } = await shell('head -c 1000000000 /dev/zero', 30_000);
      clearInterval(timer);
      expect(truncated?.totalBytes).toBe(1_000_000_000);
      expect(peak - before).toBeLessThan(12 * MIB);
    }, 40_000);

    it('puts split characters together and replaces broken ones', async () => {
      expect((await shell("printf '\\342\\202'; sleep 0.1; printf '\\254'")).output).toBe('€');
      expect((await shell("printf '\\377\\376\\200'")).output).toBe('\ufffd\ufffd\ufffd');
    });
  });

  describe('limits', () => {
    it('refuses memory over the limit, and gives what is below', async () => {
      const allocate = (mib: number) => `node -e 'Buffer.alloc(${mib} * 1048576, 1); console.log("done")'`;
      expect((await shell(allocate(600))).output).not.toContain('done');
      expect((await shell(allocate(16))).output).toContain('done');
    });

    it('ends files at their limit and writes no core', async () => {
      expect((await shell('ulimit -c; ulimit -f')).output).toBe('0\n2097152\n');
    });

    it('survives deep folders and many files, and clears them away with the home', async () => {
      const deep =
        'cd "$HOME"; for i in $(seq 300); do mkdir ddddddddddddddddddd; cd ddddddddddddddddddd; done';
      const { output } = await shell(`${deep}; cd /; echo "$HOME"`);
      // Before the name come the complaints about paths that are too long.
      const home = output.trimEnd().split('\n').at(-1) ?? '';
      expect(home).toMatch(/^\//);
      expect(existsSync(home)).toBe(false);
      await shell('for i in $(seq 200000); do : > "$HOME/$i"; done', 300);
    });

    it('gives a process nothing to read and no descriptors of ours', async () => {
      expect((await shell('cat; echo end')).output).toBe('end\n');
      const { output } = await shell('ls -l /proc/self/fd');
      const others = [...output.matchAll(/ (\d+) -> (.*)/g)].filter(([, number]) => Number(number) > 2);
      const open = others.map(([, , target]) => target ?? '').filter((target) => target !== '/dev/null');
      expect(open.filter((target) => !/^\/proc\/\d+\/fd$/.test(target))).toEqual([]);
    });

    it('drops variables that change what a program does', async () => {
      const before = process.env.NODE_OPTIONS;
      process.env.NODE_OPTIONS = '--require=/nonexistent/TOPSECRET.js';
      try {
        expect((await shell('node -p 1; env')).output).toMatch(/^1\n(?!.*TOPSECRET)/s);
      } finally {
        Reflect.deleteProperty(process.env, 'NODE_OPTIONS');
        if (before !== undefined) process.env.NODE_OPTIONS = before;
      }
    });
  });

  it('leaves nothing behind after 200 calls', async () => {
    const count = () => ({
      descriptors: readdirSync('/proc/self/fd').length,
      children: childrenOf(process.pid).length,
      homes: readdirSync(fixture.out),
    });
    const temporary = process.env.TMPDIR;
    process.env.TMPDIR = fixture.out;
    await shell('true');
    // Sandboxes that other suites have left waiting in this process end by themselves; then the count begins.
    while (childrenOf(process.pid).some(isWaitingSandbox)) await delay(100);
    const before = count();
    for (let round = 0; round < 20; round++) {
      const calls = Array.from({ length: 10 }, (_, index) =>
        index === 0 ? codeOf(shell('sleep 5', 20)) : shell('echo x; sleep 600 & exit 0'),
      );
      await Promise.all(calls);
    }
    expect(count()).toEqual({ ...before, homes: [] });
    if (temporary === undefined) Reflect.deleteProperty(process.env, 'TMPDIR');
    else process.env.TMPDIR = temporary;
  }, 120_000);
});

function isWaitingSandbox(pid: string): boolean {
  return readQuietly(`/proc/${pid}/comm`) === 'bwrap\n';
}

function processesWith(mark: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => readQuietly(`/proc/${pid}/cmdline`).includes(mark));
}

function childrenOf(pid: number): readonly string[] {
  return readQuietly(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean);
}

function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
