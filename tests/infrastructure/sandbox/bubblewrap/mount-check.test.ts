import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { identityOf } from '../../../../src/infrastructure/sandbox/bubblewrap/folder-cache.js';
import { HostMounts } from '../../../../src/infrastructure/sandbox/bubblewrap/host-mounts.js';
import { MountCheck } from '../../../../src/infrastructure/sandbox/bubblewrap/mount-check.js';
import {
  type MountLine,
  readMountInfo,
} from '../../../../src/infrastructure/sandbox/bubblewrap/mount-info.js';
import { Fixture } from '../fixture.js';
import { confinement } from './confinement-fixture.js';

/** This process stands for the gate: it sees every place as it is. */
describe('MountCheck', () => {
  let fixture: Fixture;
  beforeEach(() => {
    fixture = new Fixture();
    fixture.write('ws/sub/.vscode', '');
  });
  afterEach(() => fixture.remove());

  const paths = () => [fixture.root, `${fixture.root}/sub`, `${fixture.root}/sub/.vscode`];
  const line = (point: string, source = point): MountLine => {
    const origin = new HostMounts(readMountInfo('self')).originOf(source) ?? { device: '', root: '' };
    return { id: point, parent: '/', point, options: ['rw'], type: 'ext4', ...origin };
  };
  const check = (lines: readonly MountLine[], identities = paths().map(identityOf)) => {
    const [root = '', , guard = ''] = paths();
    const given = confinement({ writeRoots: [root], readOnly: [guard] });
    const request = { confinement: given, cwd: root, env: {}, system: { mounts: [], files: [] } };
    const places = new Map(paths().map((path, index) => [path, identities[index] ?? '']));
    new MountCheck({ ...request, hasFilter: false, knows: () => true }, places).check(process.pid, lines);
  };
  const expected = () => paths().map((path) => line(path));
  const own: MountLine = { ...line('/'), point: '/tmp', device: '0:99999', type: 'tmpfs' };

  it('takes what was asked for, and what a sandbox has of its own', () => {
    expect(() => check([own, line('/dev/null'), ...expected()])).not.toThrow();
  });

  it('refuses a place where something else is mounted, under any name', () => {
    const [root, sub, guard] = expected();
    if (!root || !sub || !guard) throw new Error('three are expected');
    expect(() => check([root, line(sub.point, fixture.out), guard])).toThrow(/sub" was exchanged/);
    expect(() => check([root, { ...sub, root: `${sub.root}//deleted` }, guard])).toThrow(
      /sub" was exchanged/,
    );
    expect(() => check([...expected(), line('/other', fixture.out)])).toThrow(/"\/other" was exchanged/);
    expect(() => check([...expected(), { ...own, type: 'ext4' }])).toThrow(/"\/tmp" was exchanged/);
  });

  it('refuses a place that is not mounted though it is there, and one that is not what was looked at', () => {
    expect(() => check(expected().slice(0, 2))).toThrow(/\.vscode" was exchanged/);
    expect(() => check(expected(), [...paths().slice(0, 2).map(identityOf), '1:2:3:4'])).toThrow(/exchanged/);
  });
});
