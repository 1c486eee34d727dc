import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Where cgroups of our own can be made: below the one we are in, so that its limits hold for them as well. */
export interface CgroupPlace {
  readonly version: 1 | 2;
  /** With version 2 both are the same folder. */
  readonly memory: string | undefined;
  readonly pids: string | undefined;
}

interface Mount {
  readonly root: string;
  readonly point: string;
  readonly type: string;
  readonly controllers: readonly string[];
}

/** The files that the kernel describes cgroups with; told apart so that other machines can be tried out. */
export interface CgroupFacts {
  readonly ownCgroups: string;
  readonly mountInfo: string;
}

/** Reads where this process is. */
export function readCgroupFacts(): CgroupFacts {
  const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  return { ownCgroups: read('/proc/self/cgroup'), mountInfo: read('/proc/self/mountinfo') };
}

/** Undefined where none can be made. */
export function findCgroupPlace({ ownCgroups, mountInfo }: CgroupFacts): CgroupPlace | undefined {
  const mounts = cgroupMounts(mountInfo);
  const unified = mounts.find(({ type }) => type === 'cgroup2');
  const second = unified && secondVersionPlace(pathIn(unified, ownPath(ownCgroups, '')));
  if (second) return { version: 2, memory: second, pids: second };
  const folderOf = (controller: string) => {
    const mount = mounts.find(({ controllers }) => controllers.includes(controller));
    const folder = mount && pathIn(mount, ownPath(ownCgroups, controller));
    return folder !== undefined && isWritable(folder) ? folder : undefined;
  };
  const [memory, pids] = [folderOf('memory'), folderOf('pids')];
  return memory || pids ? { version: 1, memory, pids } : undefined;
}

/**
 * A cgroup that holds processes cannot pass controllers on, so it is mostly the one above. But not where that would
 * take processes out of a limit of ours.
 */
function secondVersionPlace(own: string | undefined): string | undefined {
  if (own === undefined) return undefined;
  if (passesOn(own)) return own;
  const isLimited = ['memory.max', 'pids.max'].some(
    (file) => (readQuietly(join(own, file)).trim() || 'max') !== 'max',
  );
  const above = join(own, '..');
  return !isLimited && passesOn(above) ? above : undefined;
}

function passesOn(folder: string): boolean {
  const controllers = readQuietly(join(folder, 'cgroup.subtree_control')).trim().split(' ');
  const passes = ['memory', 'pids'].every((name) => controllers.includes(name));
  return passes && isWritable(folder) && isWritable(join(folder, 'cgroup.procs'));
}

function cgroupMounts(mountInfo: string): readonly Mount[] {
  return mountInfo.split('\n').flatMap((line) => {
    const [before = '', after = ''] = line.split(' - ');
    const [, , , root, point] = before.split(' ');
    const [type = '', , options = ''] = after.split(' ');
    if (!root || !point || !/^cgroup2?$/.test(type)) return [];
    return [{ root, point, type, controllers: type === 'cgroup' ? options.split(',') : [] }];
  });
}

/** A line is `number:controllers:path`; version 2 has no controllers. */
function ownPath(ownCgroups: string, controller: string): string | undefined {
  for (const line of ownCgroups.split('\n')) {
    const [, controllers, ...path] = line.split(':');
    if (path.length > 0 && controllers?.split(',').includes(controller)) return path.join(':');
  }
  return undefined;
}

/** In a container the mount may show only a part of the tree. */
function pathIn({ root, point }: Mount, path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const below = relative(root, path);
  const folder = below.startsWith('..') ? point : join(point, below);
  return existsSync(folder) ? folder : undefined;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function readQuietly(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
