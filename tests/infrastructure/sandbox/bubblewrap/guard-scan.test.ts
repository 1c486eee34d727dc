import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type GuardScan,
  GuardScanner,
} from '../../../../src/infrastructure/sandbox/bubblewrap/guard-scan.js';
import { newcomersOf } from '../../../../src/infrastructure/sandbox/bubblewrap/quarantine.js';
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

  it('shows what came new, and links that lead elsewhere', () => {
    fixture.write('ws/.npmrc', '');
    symlinkSync('rules', join(fixture.root, '.cursorrules'));
    const before = scan();
    fixture.write('ws/deep/.vscode/x', '');
    rmSync(join(fixture.root, '.cursorrules'));
    symlinkSync('evil', join(fixture.root, '.cursorrules'));
    const newcomers = newcomersOf({ before, after: scan(), since: performance.now() });
    expect(newcomers.map((path) => relative(fixture.root, path)).sort()).toEqual([
      '.cursorrules',
      'deep/.vscode',
    ]);
  });
});
