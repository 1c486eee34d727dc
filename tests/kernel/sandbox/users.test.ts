import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ProcessOutcome } from '../../../src/ports/sandbox.js';
import { childProgram } from '../../support/child-program.js';
import { KernelFixture } from './kernel-fixture.js';

/** Nobody's own number, on every system. */
const OTHER = 65_534;
const isRoot = process.getuid?.() === 0;

const give = (path: string, owner: number) => {
  chownSync(path, owner, owner);
  if (statSync(path).isDirectory()) for (const name of readdirSync(path)) give(join(path, name), owner);
};

/** What anybody must find, whoever they are. */
const ESCAPES = `
  echo new > new.txt && cat new.txt; cat ../out/secret.txt; echo x > ../out/made; echo evil > .mcp.json
  mount -o remount,rw,bind /usr && echo BROKEN; unshare -Ur true && echo BROKEN; touch /usr/x && echo BROKEN
  echo '|/bin/evil' > /proc/sys/kernel/core_pattern && echo BROKEN; cat /proc/1/environ
  grep CapEff /proc/self/status; setsid sleep 98770 & echo end`;

describe('a sandbox of another user', () => {
  let fixture: KernelFixture;
  beforeAll(() => {
    fixture = new KernelFixture();
    fixture.write('out/secret.txt', 'TOP-SECRET');
    fixture.write('ws/.mcp.json', '{}');
    fixture.write('ws/closed.txt', 'closed');
    chmodSync(join(fixture.root, 'closed.txt'), 0o600);
  });
  afterAll(() => fixture.remove());

  const check = ({ output, enforcement }: ProcessOutcome) => {
    expect(output).toMatch(/^new$/m);
    expect(output).toContain('end');
    expect(output).not.toMatch(/TOP-SECRET|BROKEN/);
    expect(fixture.has('out/made')).toBe(false);
    expect(fixture.read('ws/.mcp.json')).toBe('{}');
    expect(enforcement).toMatchObject({
      backend: 'bubblewrap',
      fsWrite: 'kernel',
      killTree: 'kernel',
      pids: 'kernel',
    });
  };

  if (isRoot) {
    it('works as an ordinary user, who has no cgroups', () => {
      give(fixture.base, OTHER);
      mkdirSync(join(fixture.base, 'home'), { mode: 0o777 });
      const program = childProgram(
        fixture.base,
        `import { BubblewrapSandbox } from '#src/infrastructure/sandbox/bubblewrap/bubblewrap-sandbox.js';
         import { NO_PERMISSIONS, DEFAULT_LIMITS } from '#src/domain/restrictions.js';
         const root = ${JSON.stringify(fixture.root)};
         const limits = { ...DEFAULT_LIMITS, memoryBytes: 256 << 20, pids: 12 };
         const permissions = { ...NO_PERMISSIONS, commands: 'any' as const, read: [root + '/**'], write: [root + '/**'], limits };
         const policy = { workspace: root, permissions, onUnavailable: 'deny' as const };
         const sandbox = new BubblewrapSandbox();
         const run = async (commandLine: string) => sandbox.run(
           await sandbox.plan(policy, { kind: 'command-line', commandLine }), { signal: new AbortController().signal });
         void (async () => {
           const outcomes = [await run(${JSON.stringify(ESCAPES)}), await run(${JSON.stringify(ESCAPES)})];
           outcomes.push(await run("perl -e '$x = \\"x\\" x (400 << 20); print 1'"));
           outcomes.push(await run('for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do sleep 0.2 & done; wait'));
           console.log(JSON.stringify(outcomes));
           await sandbox.close();
         })().catch((error) => console.error(error));`,
      );
      const { stdout, stderr } = spawnSync(process.execPath, [program], {
        uid: OTHER,
        gid: OTHER,
        encoding: 'utf8',
        env: { PATH: '/usr/bin:/bin', HOME: join(fixture.base, 'home') },
      });
      expect(stderr).toBe('');
      const [first, second, memory, pids] = JSON.parse(stdout) as readonly ProcessOutcome[];
      for (const outcome of [first, second]) if (outcome) check(outcome);
      expect([memory?.exitCode, memory?.enforcement.memory, memory?.output]).not.toEqual([
        0,
        'in-process',
        '1',
      ]);
      expect(memory?.enforcement.reasons).toContainEqual(expect.stringContaining('held for each process'));
      expect(pids?.output).toMatch(/fork/i);
    });

    it('works as root on files of another user, without a user namespace', async () => {
      give(fixture.root, OTHER);
      const outcome = await fixture.shell(`${ESCAPES}; cat closed.txt; echo more >> closed.txt`);
      check(outcome);
      expect(outcome.output).toContain('closed');
      expect(outcome.output).toContain('CapEff:\\t0000000000000002'.replace('\\t', '\t'));
      expect(outcome.enforcement.reasons).toContainEqual(expect.stringContaining('another user than root'));
      expect(fixture.read('ws/closed.txt')).toContain('more');
    });
  }

  it('works as whoever runs the tests', async () => {
    if (isRoot) give(fixture.base, 0);
    const outcome = await fixture.shell(ESCAPES);
    check(outcome);
    expect(outcome.output).toContain('CapEff:\t0000000000000000');
  });
});
