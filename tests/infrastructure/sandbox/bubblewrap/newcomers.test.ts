import { renameSync, rmSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GuardScanner } from '../../../../src/infrastructure/sandbox/bubblewrap/guard-scan.js';
import { newcomersOf, newlyUnseen } from '../../../../src/infrastructure/sandbox/bubblewrap/newcomers.js';
import { Fixture } from '../fixture.js';

describe('newcomersOf', () => {
  let fixture: Fixture;
  let scanner: GuardScanner;
  beforeEach(() => {
    fixture = new Fixture();
    scanner = new GuardScanner(fixture.root, []);
  });
  afterEach(() => fixture.remove());

  const inside = (paths: readonly string[]) => paths.map((path) => relative(fixture.root, path)).sort();
  const newcomersBy = (change: () => void) => {
    const before = scanner.scan([fixture.root], 0);
    change();
    const after = scanner.scanAfter([fixture.root]);
    return inside(newcomersOf({ before, after, since: performance.now() }));
  };

  it('shows what came new, and links that lead elsewhere', () => {
    fixture.write('ws/.npmrc', '');
    symlinkSync('rules', join(fixture.root, '.cursorrules'));
    const newcomers = newcomersBy(() => {
      fixture.write('ws/deep/.vscode/x', '');
      rmSync(join(fixture.root, '.cursorrules'));
      symlinkSync('evil', join(fixture.root, '.cursorrules'));
    });
    expect(newcomers).toEqual(['.cursorrules', 'deep/.vscode']);
  });

  it('shows what was moved to where it counts, though it is old', () => {
    fixture.write('ws/node_modules/p/.vscode/tasks.json', '');
    const move = () => renameSync(join(fixture.root, 'node_modules/p'), join(fixture.root, 'p'));
    expect(newcomersBy(move)).toEqual(['p/.vscode']);
  });

  it('leaves what may have been there, where nobody had looked', () => {
    for (const path of ['a/x', 'z/.git/config', 'z/.npmrc']) fixture.write(`ws/${path}`, '');
    scanner = new GuardScanner(fixture.root, [], { folders: 1, entries: 100 });
    expect(newcomersBy(() => rmSync(join(fixture.root, 'a'), { recursive: true }))).toEqual([]);
  });

  it('shows what made a folder a repository, not what was in it', () => {
    for (const path of ['app/config/routes', 'app/hooks/x', 'app/refs/x', 'app/modules/m/config'])
      fixture.write(`ws/${path}`, '');
    const make = () => {
      fixture.write('ws/app/HEAD', '');
      fixture.write('ws/app/objects/x', '');
    };
    expect(newcomersBy(make)).toEqual(['app/HEAD']);
  });

  it('shows the last part of a repository, whichever that is', () => {
    for (const path of ['app/config', 'app/HEAD', 'app/refs/x']) fixture.write(`ws/${path}`, '');
    expect(newcomersBy(() => fixture.write('ws/app/objects/x', ''))).toEqual(['app/objects']);
  });

  it('tells which folders can no longer be looked into', () => {
    fixture.write('ws/a/x', '');
    scanner = new GuardScanner(fixture.root, [], undefined, { folders: 1, entries: 100 });
    const before = scanner.scan([fixture.root], 0);
    fixture.write('ws/b/x', '');
    const after = scanner.scanAfter([fixture.root]);
    expect(inside(newlyUnseen(before, after))).toEqual(['a', 'b', 'src']);
    expect(newlyUnseen(after, after)).toEqual([]);
  });
});
