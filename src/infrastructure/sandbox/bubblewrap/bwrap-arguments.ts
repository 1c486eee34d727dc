import type { Confinement } from '../../../ports/sandbox.js';
import { type Mount, mountsOf } from './mount-plan.js';
import { type Scratch, Stage } from './strict/stage.js';
import { strictMounts } from './strict/strict-mounts.js';
import type { SystemView } from './system-view.js';

/**
 * Where a started bwrap finds what it is given; 0 to 2 are the program's own. The channel is kept free for the
 * proxy, whose listener comes out through it before the gate waits; a shell needs a single digit for that.
 */
export const DESCRIPTORS = { control: 3, channel: 4, arguments: 5, filter: 6, firstFile: 7 } as const;

export interface BwrapRequest {
  readonly confinement: Confinement;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly system: SystemView;
  /** Whether there is a filter of system calls at its descriptor. */
  readonly hasFilter: boolean;
  /** Options that the installed bwrap knows. */
  readonly knows: (option: string) => boolean;
}

/** The options of bwrap for a confinement, all but those of a single call. Pure: the same in, the same out. */
export function bwrapArguments(request: BwrapRequest): readonly string[] {
  const { confinement, cwd, system } = request;
  const stage = stageOf(request);
  const scratch = scratchOptions(request, stage);
  const options = (mount: Mount) => mountOptions(mount, stage);
  return [
    ...isolation(request),
    ...system.mounts.flatMap(options),
    ...system.files.flatMap(({ path }, index) => ['--file', String(DESCRIPTORS.firstFile + index), path]),
    // Everything in /dev but the devices themselves is memory that nobody counts.
    ...['--dev', '/dev', ...scratch('/dev/shm', 'shm'), '--remount-ro', '/dev'],
    // Root owns the settings of the kernel, also without capabilities.
    ...['--proc', '/proc', '--remount-ro', '/proc'],
    // Before the roots: a workspace may lie below /tmp.
    ...scratch('/tmp', 'tmp'),
    ...['/run', '/home'].flatMap((path) => ['--dir', path]),
    ...mountsOf(confinement, cwd, system.mounts).flatMap(options),
    ...strictMounts(confinement, system.mounts).flatMap(options),
    ...Object.entries(request.env).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--chdir', cwd],
  ];
}

/** The options that differ from one sandbox to the next: a home that nobody else has. They come last. */
export function homeArguments(request: BwrapRequest, home: string): readonly string[] {
  return [
    ...scratchOptions(request, stageOf(request))(home, 'home'),
    ...['--setenv', 'HOME', home, '--setenv', 'TMPDIR', home],
    // What is not mounted is memory, too.
    ...['--remount-ro', '/'],
  ];
}

function isolation({ confinement, hasFilter, knows }: BwrapRequest): readonly string[] {
  const isOwn = confinement.users === 'own';
  return [
    ...(isOwn ? ['--unshare-user'] : []),
    ...(isOwn && knows('--disable-userns') ? ['--disable-userns'] : []),
    ...['--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try'],
    // The gate is process 1: when it ends, the kernel ends all others before anybody is told.
    ...['--as-pid-1', '--die-with-parent', '--new-session', '--hostname', 'sandbox', '--cap-drop', 'ALL'],
    ...(isOwn ? [] : ['--cap-add', 'CAP_DAC_OVERRIDE']),
    ...(hasFilter ? ['--seccomp', String(DESCRIPTORS.filter)] : []),
  ];
}

function stageOf({ confinement, system }: BwrapRequest): Stage | undefined {
  return confinement.strict && new Stage(confinement, system);
}

function scratchOptions(
  { confinement, knows }: BwrapRequest,
  stage: Stage | undefined,
): (path: string, name: Scratch) => readonly string[] {
  const size = knows('--size') ? ['--size', String(confinement.limits.scratchBytes)] : [];
  return (path, name) => (stage ? ['--bind', stage.scratch(name), path] : [...size, '--tmpfs', path]);
}

function mountOptions(mount: Mount, stage: Stage | undefined): readonly string[] {
  const source = stage?.sourceOf(mount.path) ?? mount.path;
  switch (mount.kind) {
    case 'read':
      return [mount.isOptional ? '--ro-bind-try' : '--ro-bind', source, mount.path];
    case 'write':
      return [mount.isOptional ? '--bind-try' : '--bind', source, mount.path];
    case 'program':
      return ['--ro-bind', mount.path, mount.path];
    case 'link':
      return ['--symlink', mount.target, mount.path];
    case 'folder':
      return ['--dir', mount.path];
    case 'hidden-file':
      return ['--ro-bind', '/dev/null', mount.path];
    case 'empty':
      return ['--tmpfs', mount.path];
    case 'seal':
      return ['--remount-ro', mount.path];
    case 'hidden-folder':
      return ['--tmpfs', mount.path, '--remount-ro', mount.path];
    default:
      return mount satisfies never;
  }
}
