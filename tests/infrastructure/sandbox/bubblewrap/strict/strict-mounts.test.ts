import { describe, expect, it } from '@jest/globals';
import type { Mount } from '../../../../../src/infrastructure/sandbox/bubblewrap/mount-plan.js';
import { Stage } from '../../../../../src/infrastructure/sandbox/bubblewrap/strict/stage.js';
import { strictMounts } from '../../../../../src/infrastructure/sandbox/bubblewrap/strict/strict-mounts.js';
import { confinement } from '../confinement-fixture.js';

const SYSTEM: readonly Mount[] = [
  { kind: 'read', path: '/usr' },
  { kind: 'link', path: '/bin', target: 'usr/bin' },
];
const strict = {
  emptied: ['/usr/bin'],
  executables: [
    { path: '/usr/bin/sh', realPath: '/usr/bin/dash' },
    { path: '/usr/local/bin/tool', realPath: '/opt/tool/bin/tool' },
    { path: '/opt/links/other', realPath: '/opt/other' },
    { path: '/usr/lib/libc.so.6', realPath: '/usr/lib/libc.so.6' },
    { path: '/data/secret', realPath: '/data/secret' },
  ],
  makesCode: false,
};
const given = confinement({
  strict,
  readRoots: ['/data'],
  writeRoots: ['/project/ws'],
  hidden: ['/data/secret'],
});

describe('strictMounts', () => {
  it('empties folders, shows what can be run, and seals them', () => {
    expect(strictMounts(given, SYSTEM)).toEqual([
      { kind: 'empty', path: '/usr/bin' },
      { kind: 'program', path: '/usr/bin/dash' },
      { kind: 'program', path: '/opt/tool/bin/tool' },
      { kind: 'program', path: '/opt/other' },
      { kind: 'program', path: '/usr/lib/libc.so.6' },
      { kind: 'link', path: '/usr/bin/sh', target: '/usr/bin/dash' },
      { kind: 'link', path: '/opt/links/other', target: '/opt/other' },
      { kind: 'seal', path: '/usr/bin' },
    ]);
  });

  it('adds nothing where nobody is strict', () => {
    expect(strictMounts(confinement(), SYSTEM)).toEqual([]);
  });
});

describe('Stage', () => {
  it('has a copy of every place, found by the nearest one', () => {
    const stage = new Stage(
      confinement({ readRoots: ['/usr/share/data'], writeRoots: ['/project/ws'] }),
      { mounts: SYSTEM, files: [] },
      '/stage',
    );
    expect(stage.places).toEqual(['/usr', '/usr/share/data', '/project/ws']);
    expect(stage.sourceOf('/usr/lib')).toBe('/stage/0/lib');
    expect(stage.sourceOf('/usr/share/data/x')).toBe('/stage/1/x');
    expect(stage.sourceOf('/project/ws')).toBe('/stage/2');
    // Never the original, in which things can be run.
    expect(stage.sourceOf('/project/other')).toBe('/stage/none');
  });
});
