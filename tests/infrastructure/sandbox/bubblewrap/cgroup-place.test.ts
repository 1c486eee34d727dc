import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findCgroupPlace } from '../../../../src/infrastructure/sandbox/bubblewrap/cgroup-place.js';
import { Fixture } from '../fixture.js';

describe('findCgroupPlace', () => {
  let fixture: Fixture;
  beforeEach(() => {
    fixture = new Fixture();
  });
  afterEach(() => fixture.remove());

  const mount = (point: string, type: string, options: string, root = '/') =>
    `30 24 0:26 ${root} ${join(fixture.base, point)} rw,relatime - ${type} none ${options}\n`;
  const folder = (path: string, files: Readonly<Record<string, string>> = {}) => {
    mkdirSync(join(fixture.base, path), { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(fixture.base, path, name), text);
    return join(fixture.base, path);
  };

  it('goes below our own in version 1', () => {
    const memory = folder('memory/job/1');
    const pids = folder('pids');
    const mountInfo = mount('memory', 'cgroup', 'rw,memory') + mount('pids', 'cgroup', 'rw,pids');
    expect(findCgroupPlace({ ownCgroups: '4:memory:/job/1\n8:pids:/\n0::/\n', mountInfo })).toEqual({
      version: 1,
      memory,
      pids,
    });
  });

  it('knows that a container sees only its part of the tree', () => {
    const memory = folder('memory/inner');
    const mountInfo = mount('memory', 'cgroup', 'rw,memory', '/docker/abc');
    expect(findCgroupPlace({ ownCgroups: '4:memory:/docker/abc/inner\n', mountInfo })).toEqual({
      version: 1,
      memory,
      pids: undefined,
    });
  });

  it('goes beside our own in version 2, for ours has processes in it', () => {
    const slice = folder('cg/app.slice', {
      'cgroup.subtree_control': 'cpu memory pids\n',
      'cgroup.procs': '',
    });
    folder('cg/app.slice/run.scope', {
      'cgroup.subtree_control': '',
      'memory.max': 'max\n',
      'pids.max': 'max\n',
    });
    const facts = { ownCgroups: '0::/app.slice/run.scope\n', mountInfo: mount('cg', 'cgroup2', 'rw') };
    expect(findCgroupPlace(facts)).toEqual({ version: 2, memory: slice, pids: slice });
    writeFileSync(join(slice, 'run.scope/memory.max'), '1000000\n');
    expect(findCgroupPlace(facts)).toBeUndefined();
  });

  it('finds none where controllers are not passed on, or nothing is mounted', () => {
    folder('cg/own', { 'cgroup.subtree_control': '\n' });
    const mountInfo = mount('cg', 'cgroup2', 'rw');
    expect(findCgroupPlace({ ownCgroups: '0::/own\n', mountInfo })).toBeUndefined();
    expect(findCgroupPlace({ ownCgroups: '', mountInfo: '' })).toBeUndefined();
    chmodSync(fixture.base, 0o700);
  });
});
