import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readProcess } from '../../../src/infrastructure/sandbox/process-table.js';
import type { SandboxPolicy, StartedProcess } from '../../../src/ports/sandbox.js';
import { childProgram } from '../../support/child-program.js';
import { KernelFixture } from './kernel-fixture.js';

/** Sandboxes that other suites have left waiting in this process; they end by themselves. */
let strangers: ReadonlySet<number> = new Set();

/** Sandboxes that this suite has started, whether used or not. */
const children = () => sandboxes().filter((pid) => !strangers.has(pid));

const sandboxes = () =>
  readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .map(Number)
    .filter((pid) => pid > 0 && readProcess(pid) && readFileSync(`/proc/${pid}/comm`, 'utf8') === 'bwrap\n');

const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe('sandboxes that wait', () => {
  let fixture: KernelFixture;
  let policy: SandboxPolicy;
  beforeEach(() => {
    strangers = new Set(sandboxes());
    fixture = new KernelFixture(2);
    policy = fixture.workspacePolicy();
  });
  afterEach(async () => {
    await fixture.sandbox.close();
    fixture.remove();
  });

  /** Which process a call was run in, and what it printed. */
  const call = async (commandLine: string, given = policy) => {
    let started: StartedProcess | undefined;
    const outcome = await fixture.shellWith(given, commandLine, {
      onStart: (process) => {
        started = process;
      },
    });
    return { pid: started?.pid, output: outcome.output };
  };
  const rest = (count: number) => until(() => children().length === count);

  it('are there after the first call, are used once each, and end when they are told to', async () => {
    await call('true');
    await rest(1);
    const [waiting] = children();
    expect(await call('echo one')).toEqual({ pid: waiting, output: 'one\n' });
    await rest(2);
    expect(children()).not.toContain(waiting);
    const known = new Set(children());
    const pids = [(await call('true')).pid, (await call('true')).pid];
    expect(new Set(pids)).toEqual(known);
    await fixture.sandbox.close();
    expect(children()).toEqual([]);
  });

  it('get arguments as they are', async () => {
    await call('true');
    await rest(1);
    const words = ['a b', '$HOME', '`id`', '"q"', "it's", '', '-n', '*', 'é€', '\\', '3\t', ' x '];
    const plan = await fixture.sandbox.plan(policy, { kind: 'argv', argv: ['printf', '<%s>', ...words] });
    const [waiting] = children();
    let pid: number | undefined;
    const { output } = await fixture.sandbox.run(plan, {
      signal: new AbortController().signal,
      onStart: (process) => {
        pid = process.pid;
      },
    });
    expect([pid, output]).toEqual([waiting, words.map((word) => `<${word}>`).join('')]);
  });

  it('are passed over for arguments with a newline', async () => {
    await call('true');
    await rest(1);
    const [waiting] = children();
    const { pid, output } = await call('echo one\necho two');
    expect(pid).not.toBe(waiting);
    expect(output).toBe('one\ntwo\n');
  });

  it('share nothing with the call before', async () => {
    await call('echo secret > /tmp/left; echo secret > ~/left; sleep 98780 &');
    await rest(1);
    expect((await call('cat /tmp/left 2>/dev/null; ls -A ~; pgrep sleep; echo end')).output).toBe('end\n');
  });

  it('are of no use to another policy', async () => {
    await call('true');
    await rest(1);
    const [waiting] = children();
    const other = fixture.workspacePolicy({ write: [] });
    const { pid, output } = await call('touch made', other);
    expect(pid).not.toBe(waiting);
    expect(output).toContain('Read-only');
  });

  it('are thrown away when a protected file is replaced or made, or a variable changes', async () => {
    fixture.write('ws/.npmrc', 'old');
    await call('true');
    await rest(1);
    const [first] = children();
    fixture.write('ws/.npmrc.tmp', 'new');
    await new Promise((resolve) => setTimeout(resolve, 60));
    renameSync(join(fixture.root, '.npmrc.tmp'), join(fixture.root, '.npmrc'));
    const replaced = await call('echo evil > .npmrc');
    expect([replaced.pid === first, fixture.read('ws/.npmrc')]).toEqual([false, 'new']);
    await until(() => !children().includes(first ?? 0));
    writeFileSync(join(fixture.root, '.envrc'), 'mine');
    await new Promise((resolve) => setTimeout(resolve, 60));
    await call('echo evil > .envrc');
    expect(fixture.read('ws/.envrc')).toBe('mine');
  });

  it('see files that were made after they were started', async () => {
    await call('true');
    await rest(1);
    fixture.write('ws/later.txt', 'later');
    expect((await call('cat later.txt')).output).toBe('later');
  });

  it('serve many calls at once', async () => {
    await call('true');
    const results = await Promise.all(Array.from({ length: 12 }, (_, index) => call(`echo ${index}`)));
    expect(results.map(({ output }) => output)).toEqual(
      Array.from({ length: 12 }, (_, index) => `${index}\n`),
    );
    expect(new Set(results.map(({ pid }) => pid)).size).toBe(12);
  });

  it('do not keep a program from ending, and end with it', () => {
    const program = childProgram(
      fixture.base,
      `import { BubblewrapSandbox } from '#src/infrastructure/sandbox/bubblewrap/bubblewrap-sandbox.js';
       import { NO_PERMISSIONS } from '#src/domain/restrictions.js';
       const sandbox = new BubblewrapSandbox();
       const permissions = { ...NO_PERMISSIONS, commands: 'any' as const };
       const policy = { workspace: ${JSON.stringify(fixture.root)}, permissions, onUnavailable: 'deny' as const };
       void (async () => {
         for (let round = 0; round < 2; round++) {
           const plan = await sandbox.plan(policy, { kind: 'argv', argv: ['true'] });
           await sandbox.run(plan, { signal: new AbortController().signal });
         }
         await new Promise((resolve) => setTimeout(resolve, 100));
         console.log(process.pid, require('fs').readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8'));
       })();`,
    );
    const { stdout, status, signal } = spawnSync(process.execPath, [program], {
      encoding: 'utf8',
      timeout: 10_000,
    });
    const [pid, ...waiting] = stdout.trim().split(' ').map(Number);
    expect({ status, signal, count: waiting.length }).toEqual({ status: 0, signal: null, count: 2 });
    expect(waiting.filter((one) => readProcess(one))).toEqual([]);
    const left = ['memory', 'pids'].flatMap((name) => cgroupsOf(name, pid ?? 0));
    expect(left).toEqual([]);
  });
});

function cgroupsOf(controller: string, pid: number): readonly string[] {
  try {
    const folder = `/sys/fs/cgroup/${controller}`;
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.includes(`toolgate-${pid}-`),
    );
  } catch {
    return [];
  }
}
