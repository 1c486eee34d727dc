import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Permissions } from '../../../src/domain/restrictions.js';
import type { ProcessOutcome } from '../../../src/ports/sandbox.js';
import { childProgram } from '../../support/child-program.js';
import { KernelFixture } from './kernel-fixture.js';
import { madeCodeProgram } from './made-code.js';

const OTHER = 65_534;
const isRoot = process.getuid?.() === 0;
const LOADER = '/lib64/ld-linux-x86-64.so.2';

/** Every way to run something else that a shell with a few programs has; each says RAN if it worked. */
const ESCAPES = `
  for place in . /tmp "$HOME" /dev/shm; do
    cp /usr/bin/cat $place/copy && chmod 755 $place/copy && echo copied
    echo RAN direct | $place/copy; echo RAN loader | ${LOADER} $place/copy; echo RAN preload | LD_PRELOAD=$place/copy $place/copy
    printf '#!/bin/sh\\necho RAN script\\n' > $place/script && chmod 755 $place/script; $place/script
    echo 'ls / && echo RAN ls; /usr/bin/ls / && echo RAN ls; command -v ls' > $place/words; sh $place/words
  done
  for program in /usr/lib/git-core/git-remote-http /usr/sbin/ldconfig /usr/bin/env; do
    $program --version && echo RAN $program; ${LOADER} $program --version && echo RAN loaded $program
  done
  cat made > /tmp/made; chmod 755 /tmp/made; ${LOADER} ./made; ${LOADER} /tmp/made; LD_PRELOAD=/tmp/made cat /dev/null
  echo x 2>&1 > /proc/self/mem && echo RAN memory; echo end`;

const COMMANDS = ['sh', 'cat', 'cp', 'chmod'];

const plant = (fixture: KernelFixture) => {
  fixture.write('ws/escapes', ESCAPES);
  writeFileSync(join(fixture.root, 'made'), madeCodeProgram('RAN made code\n'));
};

describe('a strict sandbox', () => {
  let fixture: KernelFixture;
  beforeAll(() => {
    fixture = new KernelFixture();
    plant(fixture);
  });
  afterAll(async () => {
    await fixture.sandbox.close();
    fixture.remove();
  });

  const strictly = async (argv: readonly string[], more: Partial<Permissions> = {}, times = 1) => {
    const policy = fixture.workspacePolicy({ commands: COMMANDS, ...more, strict: true });
    const outcomes: ProcessOutcome[] = [];
    for (let count = 0; count < times; count++) {
      const plan = await fixture.sandbox.plan(policy, { kind: 'argv', argv });
      outcomes.push(await fixture.sandbox.run(plan, { signal: new AbortController().signal }));
    }
    return outcomes.at(-1) as ProcessOutcome;
  };
  const check = ({ output, enforcement }: ProcessOutcome) => {
    expect(output).toMatch(/(?:^copied$.*){4}/ms);
    expect(output).toMatch(/^end$/m);
    expect(output).not.toMatch(/RAN/);
    expect(enforcement.exec).toBe('kernel');
  };

  it('runs a listed command, and says who holds it to that', async () => {
    fixture.write('ws/a.txt', 'b\na\n');
    const { output, exitCode, enforcement } = await strictly(['cat', 'a.txt'], { commands: ['cat'] });
    expect({ output, exitCode, exec: enforcement.exec }).toEqual({
      output: 'b\na\n',
      exitCode: 0,
      exec: 'kernel',
    });
    expect(enforcement.reasons).toContain('exec: nothing can be run but the listed commands and /bin/sh');
  });

  it('runs pipelines of listed commands', async () => {
    const { output } = await fixture.shell('sort a.txt | head -n 1', {
      commands: ['sort', 'head'],
      strict: true,
    });
    expect(output).toBe('a\n');
  });

  it('runs git', async () => {
    spawnSync('git', ['init', '-q', fixture.root]);
    const { output, exitCode } = await strictly(['git', 'status', '--short'], { commands: ['git'] });
    expect({ output, exitCode }).toEqual({ output: expect.stringContaining('?? a.txt\n'), exitCode: 0 });
  });

  it('has no other programs, in no folder of programs', async () => {
    const folders = '/usr/bin /usr/sbin /usr/local/bin /usr/local/sbin /bin /sbin';
    const { output } = await strictly(['sh', '-c', `echo ${folders.replaceAll(/(\/\S+)/g, '$1/*')}`]);
    const names = [...new Set(output.match(/[^/\s*]+(?=\s)/g))].sort();
    expect(names.filter((name) => !['dash', 'bash'].includes(name))).toEqual(['cat', 'chmod', 'cp', 'sh']);
  });

  it('runs nothing that it could write, and nothing that is not listed', async () => {
    check(await strictly(['sh', 'escapes']));
  });

  it('holds as well where it was started before the call', async () => {
    const own = new KernelFixture(1);
    plant(own);
    const policy = own.workspacePolicy({ commands: COMMANDS, strict: true });
    const plan = await own.sandbox.plan(policy, { kind: 'argv', argv: ['sh', 'escapes'] });
    for (let count = 0; count < 3; count++) {
      check(await own.sandbox.run(plan, { signal: new AbortController().signal }));
    }
    await own.sandbox.close();
    own.remove();
  });

  it('shows what it keeps from running: a shell without strict runs all of it', async () => {
    const { output } = await fixture.shell('sh escapes');
    for (const way of ['direct', 'loader', 'script', 'ls', 'made code'])
      expect(output).toContain(`RAN ${way}`);
  });

  it('refuses files in memory', async () => {
    const create = 'my $n = "x"; print syscall(319, $n, 0) < 0 ? "refused: $!" : "RAN"';
    const { output, enforcement } = await strictly(['perl', '-e', create], { commands: ['perl'] });
    expect(output).toBe('refused: Operation not permitted');
    expect(enforcement.reasons).toContain(
      'exec: "perl" is an interpreter, it can run anything it can read as code',
    );
  });

  it('refuses scripts, what could be written, and hosts', async () => {
    await expect(strictly(['npm', 'test'], { commands: ['npm'] })).rejects.toThrow(
      /is a script of .*list its interpreter instead/,
    );
    fixture.script('ws/own', 'echo RAN');
    await expect(strictly(['./own'], { commands: ['./own'] })).rejects.toThrow(/nothing can be run that/);
    await expect(strictly(['cat'], { hosts: ['example.com'] })).rejects.toThrow(/cannot have hosts/);
  });

  it('leaves nothing behind', async () => {
    const look = () => [
      readFileSync('/proc/self/mountinfo', 'utf8'),
      readdirSync('/dev/shm').sort().join('\n'),
    ];
    const before = look();
    await strictly(['cat', 'a.txt'], {}, 3);
    expect(look()).toEqual(before);
  });

  if (isRoot) {
    it('holds for an ordinary user', () => {
      const give = (path: string) => {
        chownSync(path, OTHER, OTHER);
        if (statSync(path).isDirectory()) for (const name of readdirSync(path)) give(join(path, name));
      };
      mkdirSync(join(fixture.base, 'home'), { mode: 0o777 });
      give(fixture.base);
      const program = childProgram(
        fixture.base,
        `import { BubblewrapSandbox } from '#src/infrastructure/sandbox/bubblewrap/bubblewrap-sandbox.js';
         import { NO_PERMISSIONS } from '#src/domain/restrictions.js';
         const root = ${JSON.stringify(fixture.root)};
         const all = [root + '/**'];
         const permissions = { ...NO_PERMISSIONS, commands: ${JSON.stringify(COMMANDS)}, strict: true, read: all, write: all };
         const policy = { workspace: root, permissions, onUnavailable: 'deny' as const };
         const sandbox = new BubblewrapSandbox();
         const signal = new AbortController().signal;
         void (async () => {
           const plan = await sandbox.plan(policy, { kind: 'argv', argv: ['sh', 'escapes'] });
           console.log(JSON.stringify([await sandbox.run(plan, { signal }), await sandbox.run(plan, { signal })]));
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
      for (const outcome of JSON.parse(stdout) as readonly ProcessOutcome[]) check(outcome);
    });
  }
});
