import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEFAULT_LIMITS } from '../../../src/domain/restrictions.js';
import { childProgram } from '../../support/child-program.js';
import { KernelFixture } from './kernel-fixture.js';

describe('programs in a sandbox', () => {
  let fixture: KernelFixture;
  beforeAll(() => {
    fixture = new KernelFixture();
  });
  afterAll(() => fixture.remove());

  it('include npm, which runs the tests of a package', async () => {
    fixture.write('ws/package.json', JSON.stringify({ name: 'x', scripts: { test: 'node --test test.js' } }));
    fixture.write(
      'ws/test.js',
      `const { test } = require('node:test'); const assert = require('node:assert'); const os = require('node:os');
       test('adds', () => { assert.equal(1 + 1, 2); assert.ok(os.userInfo().username); });
       test('spawns', () => { require('child_process').execFileSync('sh', ['-c', 'echo | cat']); });`,
    );
    const { output, exitCode } = await fixture.shell('npm test', {
      limits: { ...DEFAULT_LIMITS, pids: 128 },
    });
    expect({ exitCode, output }).toEqual({ exitCode: 0, output: expect.stringContaining('# pass 2') });
  });

  it('include a compiler, and what it compiles', async () => {
    fixture.write('ws/hello.c', '#include <stdio.h>\nint main(void) { puts("hello"); return 0; }\n');
    expect(await fixture.output('gcc -o hello hello.c && ./hello')).toBe('hello\n');
  });

  it('include those that a person listed, wherever they lie, and nothing beside them', async () => {
    fixture.script('tools/bin/check', 'echo checked "$@"; ls -A "$(dirname "$0")"');
    fixture.write('tools/bin/secret', 'TOP-SECRET');
    symlinkSync('check', join(fixture.base, 'tools/bin/alias'));
    for (const name of ['check', 'alias']) {
      const listed = join(fixture.base, 'tools/bin', name);
      const policy = fixture.workspacePolicy({ commands: [listed] });
      const plan = await fixture.sandbox.plan(policy, { kind: 'argv', argv: [name, 'x'] });
      const { output } = await fixture.sandbox.run(plan, { signal: new AbortController().signal });
      expect(output).toMatch(/^checked x\n/);
      expect(output).not.toContain('secret');
    }
  });

  it('include a Node that lives under a home directory, of which nothing else shows', async () => {
    const home = join(fixture.base, 'home/user');
    const prefix = join(home, '.nvm/versions/node/v20');
    mkdirSync(join(prefix, 'bin'), { recursive: true });
    mkdirSync(join(prefix, 'lib'));
    fixture.write('home/user/.ssh/id', 'TOP-SECRET');
    const node = join(prefix, 'bin/node');
    copyFileSync(process.execPath, node);
    chmodSync(node, 0o755);
    const program = childProgram(
      fixture.base,
      `import { BubblewrapSandbox } from '#src/infrastructure/sandbox/bubblewrap/bubblewrap-sandbox.js';
       import { NO_PERMISSIONS } from '#src/domain/restrictions.js';
       const sandbox = new BubblewrapSandbox({ warm: 0 });
       const permissions = { ...NO_PERMISSIONS, commands: 'any' as const };
       const policy = { workspace: ${JSON.stringify(fixture.root)}, permissions, onUnavailable: 'deny' as const };
       const commandLine = ${JSON.stringify(`node -p process.execPath; ${node} -p 40+2; ls -A ${home}; cat ${home}/.ssh/id`)};
       void sandbox.plan(policy, { kind: 'command-line', commandLine })
         .then((plan) => sandbox.run(plan, { signal: new AbortController().signal }))
         .then(({ output }) => console.log(output), (error) => console.log(error));`,
    );
    const { stdout } = spawnSync(node, [program], {
      encoding: 'utf8',
      env: { HOME: home, PATH: '/usr/bin:/bin' },
    });
    expect(stdout).toContain('/bin/node\n42\n');
    expect(stdout).toContain('.nvm\n');
    expect(stdout).not.toMatch(/^\.ssh|TOP-SECRET/m);
  });

  it('find a clean home of their own, and localhost', async () => {
    const output = await fixture.output(
      'cd; pwd; ls -A; touch x && echo writable; getent hosts localhost; id -un',
    );
    expect(output).toMatch(/^\/home-\w+\nwritable\n\S+\s+localhost.*\n\w+\n$/);
  });
});
