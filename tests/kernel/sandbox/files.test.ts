import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { codeOf, NEVER } from '../../infrastructure/sandbox/fixture.js';
import { KernelFixture } from './kernel-fixture.js';

describe('files in a sandbox', () => {
  let fixture: KernelFixture;
  beforeAll(() => {
    fixture = new KernelFixture();
    fixture.write('out/secret.txt', 'TOP-SECRET');
    fixture.write('ws/src/a.ts', 'a');
    fixture.write('ws/docs/page.md', 'page');
    fixture.write('ws/.env', 'KEY=TOP-SECRET');
    fixture.write('ws/keys/one.pem', 'TOP-SECRET');
    fixture.write('ws/keys/deep/two.pem', 'TOP-SECRET');
  });
  afterAll(() => fixture.remove());

  it('shows and changes nothing outside of the roots', async () => {
    const { out } = fixture;
    const output = await fixture.output(
      `cat ${out}/secret.txt; echo x > ${out}/made; ls -A ${fixture.base} /home /root /run /var; cat /etc/shadow; ls -A /`,
    );
    expect(output).not.toContain('TOP-SECRET');
    expect(output).not.toMatch(/\b(root|boot|mnt|srv|sys|var)\n/);
    expect(fixture.has('out/made')).toBe(false);
  });

  it('lets the workspace be written, and the system not', async () => {
    const output = await fixture.output(
      'echo new > new.txt; for d in / /usr /usr/bin /etc /dev /proc /home /run; do touch $d/x && echo "wrote $d"; done; echo end',
    );
    expect(output).toContain('end');
    expect(output).not.toContain('wrote');
    expect(fixture.read('ws/new.txt')).toBe('new\n');
  });

  it('gives a private /tmp with a size, where a workspace below /tmp is there all the same', async () => {
    const { output, exitCode } = await fixture.shell(
      'ls -A /tmp | grep -v sandbox-test; echo x > /tmp/toolgate-x; head -c 400M /dev/zero > /tmp/big',
    );
    expect(exitCode).not.toBe(0);
    expect(output).toContain('No space left');
    expect(fixture.has('../toolgate-x')).toBe(false);
  });

  it('lets a read root be read and not written, and a write root inside of it be both', async () => {
    const { output } = await fixture.shell(
      '(cat docs/page.md; echo x > docs/page.md; echo x > top; echo b > src/b.ts; cat src/b.ts) 2>/dev/null',
      { read: [`${fixture.root}/**`], write: [`${fixture.root}/src/**`] },
    );
    expect(output).toBe('pageb\n');
    expect([fixture.read('ws/docs/page.md'), fixture.has('ws/top'), fixture.has('ws/src/b.ts')]).toEqual([
      'page',
      false,
      true,
    ]);
  });

  it('works in an empty workspace where nothing of it may be read', async () => {
    const output = await fixture.output('pwd; ls -A; echo x > here', { read: [], write: [] });
    expect([output, fixture.has('ws/here')]).toEqual([`${fixture.root}\n`, false]);
  });

  it('mounts single files', async () => {
    const file = join(fixture.root, 'src/a.ts');
    expect(await fixture.output('ls -A . src; cat src/a.ts', { read: [file], write: [] })).toBe(
      '.:\nsrc\n\nsrc:\na.ts\na',
    );
  });

  it('says where it holds more than was written', async () => {
    const policy = fixture.workspacePolicy({
      write: [`${fixture.root}/src/*.ts`, `${fixture.root}/missing/**`],
    });
    const { confinement } = await fixture.sandbox.plan(policy, { kind: 'argv', argv: ['true'] });
    expect(confinement?.notes).toEqual([
      `fsWrite: "${fixture.root}/src/*.ts" is held as all of "${fixture.root}/src"`,
      expect.stringContaining(`"${fixture.root}/missing" does not exist`),
    ]);
  });

  it('hides what is denied', async () => {
    const deny = [`${fixture.root}/.env`, `${fixture.root}/keys/**/*.pem`, `${fixture.root}/docs/**`];
    const output = await fixture.output(
      'cat .env keys/one.pem keys/deep/two.pem; ls -A docs; mv keys k2; cat k2/one.pem; rm .env; echo end',
      { deny },
    );
    expect(output).not.toMatch(/TOP-SECRET|page/);
    expect(output).toContain('end');
    expect(fixture.read('ws/.env')).toBe('KEY=TOP-SECRET');
    if (fixture.has('ws/k2')) await fixture.output('mv k2 keys');
  });

  it('hides what a denied link leads to', async () => {
    fixture.write('ws/data/real.txt', 'TOP-SECRET');
    symlinkSync('data/real.txt', join(fixture.root, 'link.txt'));
    const output = await fixture.output('cat link.txt data/real.txt', { deny: [`${fixture.root}/link.txt`] });
    expect(output).not.toContain('TOP-SECRET');
  });

  it('refuses a prohibition that is too wide to be held', async () => {
    for (let index = 0; index < 130; index++) fixture.write(`ws/many/${index}.key`, '');
    const policy = fixture.workspacePolicy({ deny: [`${fixture.root}/many/*.key`] });
    const planned = fixture.sandbox.plan(policy, { kind: 'argv', argv: ['true'] });
    await expect(planned).rejects.toMatchObject({
      code: 'EXECUTION.SANDBOX.DENIED',
      message: expect.stringContaining('match 130 files') as unknown,
    });
  });

  it('leaves links that lead out dangling', async () => {
    symlinkSync(join(fixture.out, 'secret.txt'), join(fixture.root, 'out-link'));
    expect(await fixture.output('cat out-link; echo x > out-link')).not.toContain('TOP-SECRET');
    expect(fixture.read('out/secret.txt')).toBe('TOP-SECRET');
  });

  it('takes roots and a workspace that are written through links', async () => {
    symlinkSync(fixture.root, join(fixture.base, 'ws-link'));
    const linked = join(fixture.base, 'ws-link');
    const policy = {
      ...fixture.workspacePolicy({ read: [`${linked}/**`], write: [`${linked}/**`] }),
      workspace: linked,
    };
    const { output } = await fixture.shellWith(
      policy,
      `cat ${linked}/src/a.ts src/a.ts ${fixture.root}/src/a.ts`,
    );
    expect(output).toBe('aaa');
  });

  it('does not run when a root was exchanged after the plan was made', async () => {
    mkdirSync(join(fixture.root, 'sub'));
    const policy = fixture.workspacePolicy({ read: [], write: [`${fixture.root}/sub/**`] });
    const plan = await fixture.sandbox.plan(policy, { kind: 'command-line', commandLine: 'ls' });
    await fixture.output(`rmdir sub; ln -s ${fixture.out} sub`);
    expect(await codeOf(fixture.sandbox.run(plan, { signal: NEVER }))).toBe('EXECUTION.APPROVAL.STALE');
    await fixture.output('rm sub');
  });

  it('has only its own /proc and /dev to show, and refuses the host’s', async () => {
    const policy = fixture.workspacePolicy({ read: ['/proc/**'] });
    expect(await codeOf(fixture.sandbox.plan(policy, { kind: 'argv', argv: ['true'] }))).toBe(
      'EXECUTION.SANDBOX.DENIED',
    );
  });

  it('starts where a folder cannot be read', async () => {
    mkdirSync(join(fixture.root, 'closed'), { mode: 0o000 });
    expect(await fixture.output('echo fine')).toBe('fine\n');
    chmodSync(join(fixture.root, 'closed'), 0o755);
  });

  it('is told why it finds nothing where no paths are listed', async () => {
    const nothing = { read: [], write: [] };
    expect(await fixture.output('cat notes.txt', nothing)).toContain(
      '[toolgate: fsRead: no paths are listed for this tool, so the workspace is empty for it]',
    );
    expect(await fixture.output('echo fine', nothing)).toBe('fine\n');
  });
});
