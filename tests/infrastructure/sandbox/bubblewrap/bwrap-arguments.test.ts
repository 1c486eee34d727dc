import { describe, expect, it } from '@jest/globals';
import {
  type BwrapRequest,
  bwrapArguments,
  homeArguments,
} from '../../../../src/infrastructure/sandbox/bubblewrap/bwrap-arguments.js';
import { confinement } from './confinement-fixture.js';

const request = (more: Partial<BwrapRequest> = {}): BwrapRequest => ({
  confinement: confinement({
    readRoots: ['/data'],
    writeRoots: ['/project/ws'],
    readOnly: ['/project/ws/.git/hooks', '/project/ws/.mcp.json'],
    hidden: ['/data/.env', '/project/ws/secrets/'],
    programs: ['/home/u/.nvm/versions/node/v20'],
  }),
  cwd: '/project/ws',
  env: { LANG: 'C.UTF-8', PATH: '/usr/bin' },
  system: {
    mounts: [
      { kind: 'read', path: '/usr' },
      { kind: 'link', path: '/bin', target: 'usr/bin' },
    ],
    files: [{ path: '/etc/passwd', content: Buffer.from('') }],
  },
  hasFilter: true,
  knows: () => true,
  ...more,
});

/** One option a line, with its values. */
const lines = (words: readonly string[]) => words.join(' ').split(/ (?=--)/);

describe('bwrapArguments', () => {
  it('isolates first, then builds the disk from the outside in', () => {
    expect(lines(bwrapArguments(request()))).toEqual([
      '--unshare-user',
      '--disable-userns',
      '--unshare-ipc',
      '--unshare-pid',
      '--unshare-net',
      '--unshare-uts',
      '--unshare-cgroup-try',
      '--as-pid-1',
      '--die-with-parent',
      '--new-session',
      '--hostname sandbox',
      '--cap-drop ALL',
      '--seccomp 6',
      '--ro-bind /usr /usr',
      '--symlink usr/bin /bin',
      '--file 7 /etc/passwd',
      '--dev /dev',
      '--size 268435456',
      '--tmpfs /dev/shm',
      '--remount-ro /dev',
      '--proc /proc',
      '--remount-ro /proc',
      '--size 268435456',
      '--tmpfs /tmp',
      '--dir /run',
      '--dir /home',
      '--ro-bind /data /data',
      '--bind /project/ws /project/ws',
      '--ro-bind /dev/null /data/.env',
      '--bind-try /project/ws/.git /project/ws/.git',
      '--ro-bind-try /project/ws/.mcp.json /project/ws/.mcp.json',
      '--tmpfs /project/ws/secrets',
      '--remount-ro /project/ws/secrets',
      '--ro-bind-try /project/ws/.git/hooks /project/ws/.git/hooks',
      '--ro-bind /home/u/.nvm/versions/node/v20 /home/u/.nvm/versions/node/v20',
      '--setenv LANG C.UTF-8',
      '--setenv PATH /usr/bin',
      '--chdir /project/ws',
    ]);
  });

  it('keeps one capability and no user namespace for the files of other users', () => {
    const words = bwrapArguments(request({ confinement: confinement({ users: 'all' }) }));
    expect(words.slice(words.indexOf('--cap-drop'), words.indexOf('--seccomp'))).toEqual([
      '--cap-drop',
      'ALL',
      '--cap-add',
      'CAP_DAC_OVERRIDE',
    ]);
    expect(words).not.toContain('--unshare-user');
    expect(words).not.toContain('--disable-userns');
  });

  it('leaves out what an old bwrap does not know, and a filter that there is not', () => {
    const words = bwrapArguments(request({ knows: () => false, hasFilter: false }));
    expect(['--disable-userns', '--size', '--seccomp'].filter((option) => words.includes(option))).toEqual(
      [],
    );
    expect(words).toContain('--unshare-user');
  });

  it('gives every sandbox a home, and seals the rest', () => {
    expect(lines(homeArguments(request(), '/home-x'))).toEqual([
      '--size 268435456',
      '--tmpfs /home-x',
      '--setenv HOME /home-x',
      '--setenv TMPDIR /home-x',
      '--remount-ro /',
    ]);
  });
});
