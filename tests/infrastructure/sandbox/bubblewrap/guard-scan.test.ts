import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type GuardScan,
  GuardScanner,
} from '../../../../src/infrastructure/sandbox/bubblewrap/guard-scan.js';
import { compilePatterns } from '../../../../src/infrastructure/sandbox/path-patterns.js';
import { Fixture } from '../fixture.js';

describe('GuardScanner', () => {
  let fixture: Fixture;
  let scanner: GuardScanner;
  beforeEach(() => {
    fixture = new Fixture();
    scanner = new GuardScanner(fixture.root, []);
  });
  afterEach(() => fixture.remove());

  const scan = () => scanner.scan([fixture.root], 0);
  const found = ({ guarded }: GuardScan) =>
    [...guarded.keys()].map((path) => relative(fixture.root, path)).sort();

  it('finds protected names at any depth, but not in node_modules', () => {
    for (const path of [
      '.npmrc',
      'a/b/.vscode/x',
      'a/.github/workflows/ci.yml',
      'a/.github/other',
      'JENKINSFILE',
    ]) {
      fixture.write(`ws/${path}`, '');
    }
    fixture.write('ws/node_modules/x/.npmrc', '');
    fixture.write('ws/workflows/x', '');
    expect(found(scan())).toEqual(['.npmrc', 'JENKINSFILE', 'a/.github/workflows', 'a/b/.vscode']);
  });

  it('guards of a repository what git runs or obeys, and leaves the rest to git', () => {
    const paths = [
      'HEAD',
      'config',
      'hooks/pre-commit',
      'info/attributes',
      'info/exclude',
      'objects/x',
      'commondir',
    ];
    for (const path of paths) fixture.write(`ws/.git/${path}`, '');
    fixture.write('ws/.git/modules/libs/foo/HEAD', '');
    fixture.write('ws/.git/modules/libs/foo/config', '');
    fixture.write('ws/.git/worktrees/two/HEAD', '');
    fixture.write('ws/.git/worktrees/two/commondir', '');
    fixture.write('ws/sub/.git', 'gitdir: ../.git/modules/sub');
    expect(found(scan())).toEqual([
      '.git/commondir',
      '.git/config',
      '.git/hooks',
      '.git/info/attributes',
      '.git/modules/libs/foo/config',
      '.git/worktrees/two/commondir',
      'sub/.git',
    ]);
  });

  it('knows a repository that is not called .git', () => {
    for (const path of ['HEAD', 'config', 'hooks/pre-commit', 'objects/x', 'refs/x'])
      fixture.write(`ws/bare/${path}`, '');
    fixture.write('ws/app/config', '');
    expect(found(scan())).toEqual(['bare/config', 'bare/hooks']);
  });

  it('guards what the policy names', async () => {
    const sources = [`${fixture.root}/ci/**`, `${fixture.root}/*.lock`];
    const patterns = await compilePatterns(sources, { workspace: fixture.root, purpose: 'forbid' });
    scanner = new GuardScanner(fixture.root, patterns);
    for (const path of ['ci/x', 'a.lock', 'sub/b.lock']) fixture.write(`ws/${path}`, '');
    expect(found(scan())).toEqual(['a.lock', 'ci']);
  });

  it('gives the same object as long as nothing changed', () => {
    fixture.write('ws/.npmrc', '');
    const first = scan();
    fixture.write('ws/src/other.ts', '');
    expect(scan()).toBe(first);
    fixture.write('ws/src/.envrc', '');
    expect(found(scan())).toEqual(['.npmrc', 'src/.envrc']);
  });

  it('tells a file from another one that took its place', () => {
    fixture.write('ws/.npmrc', '');
    const first = scan();
    rmSync(join(fixture.root, '.npmrc'));
    mkdirSync(join(fixture.root, '.npmrc'));
    expect(scan().key).not.toBe(first.key);
  });

  it('looks into folders of git before all others, and tells which folders it did not look into', () => {
    for (const path of ['+1/x', '+2/x', '.git/config', 'z/deep/.npmrc']) fixture.write(`ws/${path}`, '');
    scanner = new GuardScanner(fixture.root, [], { folders: 2, entries: 100 });
    const result = scan();
    expect(found(result)).toEqual(['.git/config']);
    expect([...result.unseen.keys()].map((path) => relative(fixture.root, path)).sort()).toEqual([
      '+1',
      '+2',
      'src',
      'z',
    ]);
    expect(found(scanner.scanAfter([fixture.root]))).toEqual(['.git/config', 'z/deep/.npmrc']);
  });

  it('does not look through folders with too many entries before a call', () => {
    for (let index = 0; index < 20; index++) fixture.write(`ws/full/a-name-of-some-length-${index}`, '');
    scanner = new GuardScanner(fixture.root, [], { folders: 100, entries: 10 });
    expect([...scan().unseen]).toEqual([[join(fixture.root, 'full'), 'crowded']]);
    expect(scanner.scanAfter([fixture.root]).unseen.size).toBe(0);
  });

  it('guards the lists of a rebase, which may hold commands', () => {
    for (const path of ['rebase-merge/git-rebase-todo', 'rebase-apply/0001', 'sequencer/todo'])
      fixture.write(`ws/.git/${path}`, '');
    expect(found(scan())).toEqual(['.git/rebase-apply', '.git/rebase-merge', '.git/sequencer']);
  });

  it('guards links that stand for the folder of a protected file', () => {
    fixture.write('ws/evil/workflows/x.yml', '');
    symlinkSync('evil', join(fixture.root, '.github'));
    symlinkSync('evil', join(fixture.root, '.Config'));
    symlinkSync('evil', join(fixture.root, 'other'));
    expect(found(scan())).toEqual(['.Config', '.github']);
  });

  it('looks into the other folders of a repository that is not called .git', () => {
    for (const path of ['HEAD', 'objects/x', 'refs/x', 'src/.vscode/tasks.json'])
      fixture.write(`ws/bare/${path}`, '');
    expect(found(scan())).toEqual(['bare/src/.vscode']);
  });
});
