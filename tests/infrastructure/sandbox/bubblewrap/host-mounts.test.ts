import { describe, expect, it } from '@jest/globals';
import { HostMounts } from '../../../../src/infrastructure/sandbox/bubblewrap/host-mounts.js';
import { parseMountInfo } from '../../../../src/infrastructure/sandbox/bubblewrap/mount-info.js';

const INFO = `22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda rw
23 22 0:40 / /data rw - tmpfs tmpfs rw
24 23 8:2 /vol /data/my\\040disk ro,noexec shared:2 master:1 - xfs /dev/sdb rw
25 23 8:3 / /data/old rw - ext4 /dev/sdc rw
26 22 8:4 /deep/er /srv rw - ext4 /dev/sdd rw
27 23 8:5 /over /data rw - ext4 /dev/sde rw
28 27 8:6 / /data/sub rw - ext4 /dev/sdf rw
`;

describe('parseMountInfo', () => {
  it('reads the fields, whatever number of tags there is, and decodes blanks', () => {
    expect(parseMountInfo(INFO)[2]).toEqual({
      id: '24',
      parent: '23',
      device: '8:2',
      root: '/vol',
      point: '/data/my disk',
      options: ['ro', 'noexec'],
      type: 'xfs',
    });
    expect(parseMountInfo('\nnonsense\n')).toEqual([]);
  });
});

describe('HostMounts', () => {
  const host = new HostMounts(INFO);

  it.each([
    ['/home/a b', { device: '8:1', root: '/home/a b' }],
    ['/', { device: '8:1', root: '/' }],
    ['/srv', { device: '8:4', root: '/deep/er' }],
    ['/srv/x', { device: '8:4', root: '/deep/er/x' }],
    ['/srvx', { device: '8:1', root: '/srvx' }],
    // Under what was mounted on /data later.
    ['/data/old/x', { device: '8:5', root: '/over/old/x' }],
    ['/data/sub/x', { device: '8:6', root: '/x' }],
  ])('tells where %s lies', (path, origin) => {
    expect(host.originOf(path)).toEqual(origin);
  });

  it('tells what comes along with a folder', () => {
    expect(host.below('/data').map(({ point }) => point)).toEqual([
      '/data/my disk',
      '/data/old',
      '/data/sub',
    ]);
    expect(host.below('/srv')).toEqual([]);
  });

  it('knows a file system that is its own parent, and says nothing of what it cannot know', () => {
    expect(new HostMounts('1 1 0:1 / / rw - rootfs rootfs rw\n').originOf('/a')).toEqual({
      device: '0:1',
      root: '/a',
    });
    expect(new HostMounts('').originOf('/a')).toBeUndefined();
  });
});
