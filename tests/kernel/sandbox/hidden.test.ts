import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { KernelFixture } from './kernel-fixture.js';

describe('hidden files in a sandbox', () => {
  let fixture: KernelFixture;
  beforeEach(() => {
    fixture = new KernelFixture();
    fixture.write('ws/conf/deep/prod/key', 'TOP-SECRET');
    fixture.write('ws/conf/deep/token', 'TOP-SECRET');
  });
  afterEach(() => fixture.remove());

  const policy = () =>
    fixture.workspacePolicy({
      deny: [`${fixture.root}/conf/deep/prod/**`, `${fixture.root}/conf/deep/token`],
    });
  const LOOK = 'grep -rs TOP-SECRET . && echo SHOWN; echo end';

  it('are not shown by giving another name to a folder that they are in', async () => {
    const used = policy();
    const { output } = await fixture.shellWith(
      used,
      'mv conf c2 && echo MOVED; mv conf/deep d2 && echo MOVED; echo x > conf/new; echo end',
    );
    expect(output).not.toContain('MOVED');
    expect((await fixture.shellWith(used, LOOK)).output).toBe('end\n');
    expect(fixture.has('ws/conf/new')).toBe(true);
  });

  it('stay hidden if they get another name by other means', async () => {
    const used = policy();
    await fixture.shellWith(used, 'true');
    renameSync(join(fixture.root, 'conf'), join(fixture.root, 'c2'));
    mkdirSync(join(fixture.root, 'conf'));
    for (let round = 0; round < 2; round++)
      expect((await fixture.shellWith(used, LOOK)).output).toBe('end\n');
    renameSync(join(fixture.root, 'c2/deep/token'), join(fixture.root, 'src/token'));
    expect((await fixture.shellWith(used, LOOK)).output).toBe('end\n');
  });

  it('are forgotten when they are removed', async () => {
    const used = policy();
    await fixture.shellWith(used, 'true');
    rmSync(join(fixture.root, 'conf'), { recursive: true });
    expect((await fixture.shellWith(used, 'ls')).output).toBe('src\n');
  });

  it('do not make a protected folder around them writable', async () => {
    fixture.write('ws/.vscode/a/secret', 'TOP-SECRET');
    const { output } = await fixture.shell(
      'echo evil > .vscode/a/tasks.json; cat .vscode/a/secret; echo end',
      {
        deny: [`${fixture.root}/.vscode/a/secret`],
      },
    );
    expect(output).toContain('end');
    expect(output).not.toContain('TOP-SECRET');
    expect(fixture.has('ws/.vscode/a/tasks.json')).toBe(false);
  });
});
