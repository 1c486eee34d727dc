import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import type { SandboxPolicy } from '../../ports/sandbox.js';
import { isInside, realPathOf } from './path-containment.js';
import { literalRootOf } from './path-patterns.js';

/** A program on disk: where to run it, and which file it really is. */
export interface Binary {
  /** The name it is run under; programs such as `xzcat` or `pkill` go by it. */
  readonly name: string;
  /** Absolute; only the last component may be a link. */
  readonly path: string;
  /** The same without links. */
  readonly realPath: string;
  /** Device and inode: equal for the same file under another path. */
  readonly identity: string;
}

const SYSTEM_DIRECTORIES = [
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
] as const;

/**
 * Finds programs in the system's directories and the running Node's own, never by the inherited PATH. A directory
 * that lies inside of `untrusted` is left out: what an agent can write there would be run under a trusted name.
 */
export class BinaryResolver {
  readonly #directories: readonly string[];

  constructor(untrusted: readonly string[]) {
    const forbidden = untrusted.map(realPathOf);
    const real = [...SYSTEM_DIRECTORIES, dirname(process.execPath)].map(realPathOf);
    this.#directories = [...new Set(real)].filter((path) => !forbidden.some((root) => isInside(path, root)));
  }

  /** Trusts neither the workspace nor what the policy lets a tool write. */
  static for({ workspace, permissions }: SandboxPolicy): BinaryResolver {
    return new BinaryResolver([workspace, ...permissions.write.map(literalRootOf)]);
  }

  /** The PATH that processes get. */
  get searchPath(): string {
    return this.#directories.join(delimiter);
  }

  /** A bare name from the trusted directories; a path as it stands, relative ones from `workspace`. */
  resolve(word: string, workspace: string): Binary | undefined {
    if (word === '' || word === '.' || word === '..') return undefined;
    if (word.includes('/')) return binaryAt(resolve(workspace, word));
    for (const directory of this.#directories) {
      const found = binaryAt(join(directory, word));
      if (found) return found;
    }
    return undefined;
  }

  /** Whether it stands in one of the trusted directories. */
  isSystem(binary: Binary): boolean {
    return this.#directories.includes(dirname(binary.path));
  }
}

/** Whether two are the same program: same file and same name, for one file may be many programs. */
export function isSameBinary(left: Binary, right: Binary): boolean {
  return left.identity === right.identity && left.name === right.name;
}

function binaryAt(path: string): Binary | undefined {
  try {
    // Most places that are tried have nothing: telling so without an error is far cheaper.
    if (!statSync(path, { throwIfNoEntry: false })) return undefined;
    const directory = realpathSync.native(dirname(path));
    const realPath = realpathSync.native(path);
    const stat = statSync(realPath, { bigint: true });
    if (!stat.isFile()) return undefined;
    accessSync(realPath, constants.X_OK);
    const name = basename(path);
    return { name, path: join(directory, name), realPath, identity: `${stat.dev}:${stat.ino}` };
  } catch {
    return undefined;
  }
}
