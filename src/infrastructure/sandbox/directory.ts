import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
} from 'node:fs';
import { join, parse } from 'node:path';

/** A directory that is held: names below it are reached through it, not through a path that may change meanwhile. */
export interface Directory {
  /** Absolute, without links. */
  readonly path: string;
  /** A path for node:fs that names an entry of this very directory. */
  at(name: string): string;
  /** Opens a directory below, never through a link: one fails with ENOTDIR. */
  enter(name: string): Directory;
  /** Whether an open descriptor is what `name` in this directory stands for. */
  holds(descriptor: number, name: string): boolean;
  close(): void;
}

// Not in fs.constants; the value is the same on every Linux architecture that Node runs on.
const O_PATH = 0o10000000;

/** Opens the root of the file system that a path is on. */
export type OpenRoot = (path: string) => Directory;

/** Held by descriptor where the system can do that. */
export const openRoot: OpenRoot = (path) => {
  const { root } = parse(path);
  return hasDescriptorPaths() ? DescriptorDirectory.open(root, root) : openNamedRoot(path);
};

/** Known by name only, as on systems without /proc. */
export const openNamedRoot: OpenRoot = (path) => new NamedDirectory(parse(path).root);

let descriptorPaths: boolean | undefined;

function hasDescriptorPaths(): boolean {
  descriptorPaths ??= process.platform === 'linux' && existsSync('/proc/self/fd');
  return descriptorPaths;
}

/** Linux: `/proc/self/fd/N/name` is openat(N, name), so no rename or link between check and use can win. */
class DescriptorDirectory implements Directory {
  private constructor(
    readonly path: string,
    private readonly descriptor: number,
  ) {}

  static open(location: string, path: string): DescriptorDirectory {
    const flags = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;
    return new DescriptorDirectory(path, openSync(location, flags));
  }

  at(name: string): string {
    return `/proc/self/fd/${this.descriptor}/${name}`;
  }

  enter(name: string): Directory {
    return DescriptorDirectory.open(this.at(name), join(this.path, name));
  }

  holds(descriptor: number, name: string): boolean {
    return readlinkSync(`/proc/self/fd/${descriptor}`) === join(this.path, name);
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

/** Elsewhere: plain paths, looked at again after opening. A race can make this fail, and in theory lose. */
class NamedDirectory implements Directory {
  constructor(readonly path: string) {}

  at(name: string): string {
    return join(this.path, name);
  }

  enter(name: string): Directory {
    const path = this.at(name);
    if (!lstatSync(path).isDirectory())
      throw Object.assign(new Error('not a directory'), { code: 'ENOTDIR' });
    return new NamedDirectory(path);
  }

  holds(descriptor: number, name: string): boolean {
    const opened = fstatSync(descriptor, { bigint: true });
    const named = lstatSync(this.at(name), { bigint: true, throwIfNoEntry: false });
    return opened.dev === named?.dev && opened.ino === named.ino && realpathSync(this.path) === this.path;
  }

  close(): void {}
}
