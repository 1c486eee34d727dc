import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { KernelFixture } from './kernel-fixture.js';

const git = (folder: string, ...args: string[]) =>
  execFileSync('git', args, { cwd: folder, stdio: 'pipe', env: { PATH: '/usr/bin:/bin', HOME: folder } });

/** Many spellings of one protected name. */
const MANY_NAMES = `perl -e '
  my $s = ".pre-commit-config.yaml"; my @at = grep { substr($s, $_, 1) =~ /[a-z]/ } 0 .. length($s) - 1;
  for my $m (1 .. 4000) {
    my $n = $s;
    for my $b (0 .. $#at) { substr($n, $at[$b], 1) = uc substr($n, $at[$b], 1) if $m >> $b & 1 }
    open my $f, ">", $n;
  }'`;

describe('what a call makes under protected names', () => {
  let fixture: KernelFixture;
  beforeEach(() => {
    fixture = new KernelFixture();
    mkdirSync(fixture.root, { recursive: true });
    git(fixture.root, 'init', '-q');
  });
  afterEach(() => fixture.remove());

  const names = () => readdirSync(fixture.root);

  it('cannot keep us from a .git with a lot of folders, nor have us take it for new', async () => {
    await fixture.shell('seq 1 1100 | sed s/^/+/ | xargs mkdir');
    const { output } = await fixture.shell('echo evil >> .git/config; rmdir +*');
    expect(output).toContain('Read-only');
    expect(output).not.toContain('was removed');
    expect(fixture.read('ws/.git/config')).not.toContain('evil');
    expect(fixture.has('ws/.git/hooks')).toBe(true);
  });

  it('is held by folders where there is too much of it already', async () => {
    for (let index = 0; index < 300; index++) fixture.write(`ws/packages/${index}/.npmrc`, 'mine');
    const { output, enforcement } = await fixture.shell(
      'for f in packages/*/.npmrc .git/config; do echo evil >> $f; done 2>&1 | grep -c Read-only; echo kept > kept',
    );
    expect(output).toMatch(/^301\n/);
    expect(fixture.has('ws/kept')).toBe(true);
    expect(enforcement.reasons).toContainEqual(expect.stringMatching(/all of ".*packages" is read-only/));
  });

  it('is refused where it cannot be held', async () => {
    for (let index = 0; index < 300; index++) fixture.write(`ws/${index}/.npmrc`, 'mine');
    await expect(fixture.shell('true')).rejects.toThrow(/narrow paths.write/);
  });

  it('is all gone when the call is answered, however much it is', async () => {
    const state = join(fixture.base, 'state');
    mkdirSync(state);
    const before = names();
    const { output } = await fixture.shell(
      `mkdir .vscode; echo evil > .vscode/tasks.json; ${MANY_NAMES}`,
      {},
      { outputFile: join(state, 'output.txt') },
    );
    expect(output).toContain('3981 more files');
    expect(names()).toEqual(before);
  });

  it('is gone when a call is ended from outside', async () => {
    const ending = new AbortController();
    const look = setInterval(() => fixture.has('ws/.zshrc') && ending.abort(), 10);
    const call = fixture.shell('echo evil > .zshrc; exec sleep 60', {}, { signal: ending.signal });
    await call.catch(() => undefined).finally(() => clearInterval(look));
    expect([ending.signal.aborted, fixture.has('ws/.zshrc')]).toEqual([true, false]);
  });

  it('does not include what only looks like part of a repository now', async () => {
    fixture.write('ws/config/routes.rb', 'mine');
    fixture.write('ws/hooks/x', 'mine');
    const { output } = await fixture.shell(
      'echo ref: refs/heads/x > HEAD; mkdir objects refs modules; mkdir modules/.vscode; echo evil > modules/.vscode/x',
    );
    expect(output).toMatch(/HEAD" was removed/);
    expect([fixture.read('ws/config/routes.rb'), fixture.read('ws/hooks/x')]).toEqual(['mine', 'mine']);
    expect([fixture.has('ws/HEAD'), fixture.has('ws/modules/.vscode')]).toEqual([false, false]);
  });

  it('includes the list of a rebase, and not a rebase that is done', async () => {
    const planted = await fixture.shell(
      'mkdir .git/rebase-merge; echo exec evil > .git/rebase-merge/git-rebase-todo',
    );
    expect(planted.output).toContain('rebase-merge" was removed');
    expect(fixture.has('ws/.git/rebase-merge')).toBe(false);
    git(fixture.root, 'config', 'user.email', 'a@example.org');
    git(fixture.root, 'config', 'user.name', 'a');
    const done = await fixture.shell(
      'for i in 1 2 3; do echo $i > $i; git add $i; git commit -q -m $i; done; git rebase -q -f HEAD~2 && git log --oneline | wc -l',
    );
    expect(done.output).toBe('3\n');
  });

  it('includes links in the place of folders that have protected files', async () => {
    const { output } = await fixture.shell(
      'mkdir -p evil/workflows; echo evil > evil/workflows/ci.yml; ln -s evil .github',
    );
    expect(output).toContain('.github" was removed');
    expect(names()).not.toContain('.github');
  });

  it('cannot be written through a link that was there', async () => {
    fixture.write('ws/shared/workflows/ci.yml', 'mine');
    symlinkSync('shared', join(fixture.root, '.github'));
    await fixture.shell('echo evil > shared/workflows/ci.yml; echo evil > shared/workflows/new.yml');
    expect(fixture.read('ws/shared/workflows/ci.yml')).toBe('mine');
    expect(fixture.has('ws/shared/workflows/new.yml')).toBe(false);
  });
});
