import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { KernelFixture } from './kernel-fixture.js';

const git = (folder: string, ...args: string[]) =>
  execFileSync('git', args, { cwd: folder, stdio: 'pipe', env: { PATH: '/usr/bin:/bin', HOME: folder } });

describe('protected files in a sandbox', () => {
  let fixture: KernelFixture;
  beforeEach(() => {
    fixture = new KernelFixture();
    for (const folder of ['ws', 'ws/nested/lib']) {
      mkdirSync(join(fixture.base, folder), { recursive: true });
      git(join(fixture.base, folder), 'init', '-q');
    }
    fixture.write('ws/.mcp.json', '{}');
    fixture.write('ws/.vscode/tasks.json', '{}');
    fixture.write('ws/packages/a/.npmrc', 'x=1');
    fixture.write('ws/.github/workflows/ci.yml', 'on: push');
  });
  afterEach(() => fixture.remove());

  const untouched = () => [
    fixture.read('ws/.mcp.json'),
    fixture.read('ws/.vscode/tasks.json'),
    fixture.read('ws/packages/a/.npmrc'),
    fixture.read('ws/.github/workflows/ci.yml'),
    fixture.has('ws/.git/hooks/evil') || fixture.has('ws/nested/lib/.git/hooks/evil'),
    fixture.read('ws/.git/config').includes('evil') ||
      fixture.read('ws/nested/lib/.git/config').includes('evil'),
  ];
  const AS_BEFORE = ['{}', '{}', 'x=1', 'on: push', false, false];

  it('cannot be written, removed, replaced or linked over, in nested repositories neither', async () => {
    await fixture.shell(`
      for f in .mcp.json .vscode/tasks.json packages/a/.npmrc .github/workflows/ci.yml .git/config nested/lib/.git/config; do
        echo evil > $f; echo evil >> $f; rm -f $f; echo evil > t; mv -f t $f; ln -sf /tmp/t $f; cp --remove-destination t $f; chmod 777 $f
      done
      touch .git/hooks/evil nested/lib/.git/hooks/evil; rm -rf .vscode .github`);
    expect(untouched()).toEqual(AS_BEFORE);
  });

  it('cannot be moved away with their folders', async () => {
    const { output } = await fixture.shell(`
      mv .git x && echo DONE; mv .github x && echo DONE; mv packages x && echo DONE; mv packages/a x && echo DONE
      mv nested x && echo DONE; mv nested/lib x && echo DONE; mv nested/lib/.git x && echo DONE
      mkdir -p .git/hooks && touch .git/hooks/evil; echo end`);
    expect(output).not.toContain('DONE');
    expect(output).toContain('busy');
    expect(untouched()).toEqual(AS_BEFORE);
  });

  it('are taken away again where they were not before', async () => {
    const state = join(fixture.base, 'state');
    mkdirSync(state);
    const { output, enforcement } = await fixture.shell(
      `echo evil > .envrc; mkdir -p packages/b/.vscode; echo evil > packages/b/.vscode/tasks.json
       git init -q fresh; echo evil > fresh/.git/hooks/pre-commit; echo ../evil > .git/commondir; echo kept > kept.txt`,
      {},
      { outputFile: join(state, 'output.txt') },
    );
    expect([
      fixture.has('ws/.envrc'),
      fixture.has('ws/packages/b/.vscode'),
      fixture.has('ws/fresh/.git/hooks'),
      fixture.has('ws/fresh/.git/config'),
      fixture.has('ws/.git/commondir'),
      fixture.has('ws/kept.txt'),
      fixture.has('ws/fresh/.git/HEAD'),
    ]).toEqual([false, false, false, false, false, true, true]);
    expect(output).toMatch(/toolgate: fsWrite: ".*\.envrc" was moved to ".*quarantine/);
    expect(enforcement.reasons.filter((reason) => reason.includes('was moved'))).toHaveLength(5);
    const kept = readdirSync(join(state, 'quarantine'), { recursive: true, encoding: 'utf8' });
    expect(
      kept.filter((path) => /(\.envrc|tasks\.json|commondir|pre-commit|config)$/.test(path)),
    ).toHaveLength(5);
  });

  it('are removed where there is no folder to keep them, and again if they come back', async () => {
    const policy = fixture.workspacePolicy();
    for (let round = 0; round < 2; round++) {
      const { output } = await fixture.shellWith(policy, 'echo evil > .envrc');
      expect(output).toContain('.envrc" was removed');
      expect(fixture.has('ws/.envrc')).toBe(false);
    }
  });

  it('are taken away in great numbers as well', async () => {
    const { output } = await fixture.shell(
      'for i in $(seq 300); do mkdir -p m/$i; touch m/$i/.npmrc m/$i/.envrc; done',
    );
    expect(output).toContain('580 more files');
    expect((await fixture.shell('find m -type f')).output).toBe('');
  });

  it('include what `protect` names, and what links lead to', async () => {
    fixture.write('ws/ci/build.sh', 'true');
    fixture.write('ws/shared/rules', 'rules');
    symlinkSync('shared/rules', join(fixture.root, '.cursorrules'));
    const { output } = await fixture.shell(
      'echo evil > ci/build.sh; mv ci x; echo evil > shared/rules; rm .cursorrules; echo evil > .cursorrules',
      { protect: [`${fixture.root}/ci/**`] },
    );
    expect([
      fixture.read('ws/ci/build.sh'),
      fixture.read('ws/shared/rules'),
      fixture.read('ws/.cursorrules'),
    ]).toEqual(['true', 'rules', 'rules']);
    expect(output).toContain('.cursorrules" was removed');
  });

  it('are still protected if they appear between plan and run', async () => {
    const policy = fixture.workspacePolicy();
    const plan = await fixture.sandbox.plan(policy, {
      kind: 'command-line',
      commandLine: 'echo evil > .envrc',
    });
    fixture.write('ws/.envrc', 'mine');
    await new Promise((resolve) => setTimeout(resolve, 60));
    const outcome = await fixture.sandbox.run(plan, { signal: new AbortController().signal });
    expect([outcome.exitCode, fixture.read('ws/.envrc')]).toEqual([2, 'mine']);
  });

  it('leave the rest to git, which can commit', async () => {
    git(fixture.root, 'config', 'user.email', 'a@example.org');
    git(fixture.root, 'config', 'user.name', 'a');
    const { output, exitCode } = await fixture.shell(
      'git add .mcp.json && git commit -q -m first && git checkout -q -b other && git log --oneline && git status --short',
    );
    expect({ exitCode, output }).toEqual({ exitCode: 0, output: expect.stringMatching(/ first\n/) });
    expect(output).not.toContain('toolgate');
  });
});
