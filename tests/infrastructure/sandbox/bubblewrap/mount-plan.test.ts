import { describe, expect, it } from '@jest/globals';
import { mountsOf } from '../../../../src/infrastructure/sandbox/bubblewrap/mount-plan.js';
import { confinement } from './confinement-fixture.js';

const SYSTEM = [{ kind: 'read', path: '/usr' }] as const;

describe('mountsOf', () => {
  it('makes every folder on the way to a protected file a mount of its own', () => {
    const given = confinement({
      writeRoots: ['/ws'],
      readOnly: ['/ws/a/b/.npmrc', '/ws/a/.vscode', '/ws/.envrc'],
    });
    expect(mountsOf(given, '/ws', SYSTEM)).toEqual([
      { kind: 'write', path: '/ws' },
      { kind: 'write', path: '/ws/a', isOptional: true },
      { kind: 'read', path: '/ws/.envrc', isOptional: true },
      { kind: 'write', path: '/ws/a/b', isOptional: true },
      { kind: 'read', path: '/ws/a/.vscode', isOptional: true },
      { kind: 'read', path: '/ws/a/b/.npmrc', isOptional: true },
    ]);
  });

  it('makes the folders on the way to what is hidden mounts as well, but none below what is read-only', () => {
    const given = confinement({
      writeRoots: ['/ws'],
      readOnly: ['/ws/.vscode'],
      hidden: ['/ws/conf/a/prod/', '/ws/.vscode/b/key'],
    });
    expect(mountsOf(given, '/ws', SYSTEM)).toEqual([
      { kind: 'write', path: '/ws' },
      { kind: 'write', path: '/ws/conf', isOptional: true },
      { kind: 'read', path: '/ws/.vscode', isOptional: true },
      { kind: 'write', path: '/ws/conf/a', isOptional: true },
      { kind: 'hidden-folder', path: '/ws/conf/a/prod' },
      { kind: 'hidden-file', path: '/ws/.vscode/b/key' },
    ]);
  });

  it('hides a folder together with what is protected in it', () => {
    const given = confinement({ writeRoots: ['/ws'], readOnly: ['/ws/a/.npmrc'], hidden: ['/ws/a/'] });
    expect(mountsOf(given, '/ws', SYSTEM)).toEqual([
      { kind: 'write', path: '/ws' },
      { kind: 'hidden-folder', path: '/ws/a' },
    ]);
  });

  it('has an empty workspace where nothing of it is allowed', () => {
    expect(mountsOf(confinement(), '/ws', SYSTEM)).toEqual([{ kind: 'folder', path: '/ws' }]);
    expect(mountsOf(confinement({ readRoots: ['/usr/src/app/lib'] }), '/usr/src/app', SYSTEM)).toEqual([
      { kind: 'empty', path: '/usr/src/app' },
      { kind: 'read', path: '/usr/src/app/lib' },
      { kind: 'seal', path: '/usr/src/app' },
    ]);
  });

  it('links the names that lead to roots, unless they are there already', () => {
    const aliases = [
      { path: '/link', target: '/ws' },
      { path: '/ws/inner', target: '/ws/a' },
      { path: '/usr/link', target: '/ws' },
    ];
    expect(mountsOf(confinement({ writeRoots: ['/ws'], aliases }), '/link', SYSTEM)).toEqual([
      { kind: 'write', path: '/ws' },
      { kind: 'link', path: '/link', target: '/ws' },
    ]);
  });

  it('shows no program twice', () => {
    const given = confinement({ readRoots: ['/opt'], programs: ['/opt/x/bin/x', '/srv/y'] });
    expect(mountsOf(given, '/opt', SYSTEM)).toEqual([
      { kind: 'read', path: '/opt' },
      { kind: 'read', path: '/srv/y' },
    ]);
  });
});
