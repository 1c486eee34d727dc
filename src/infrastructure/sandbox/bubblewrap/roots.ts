import { closeSync, constants, fstatSync, openSync, readlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { DeniedError } from '../../../domain/errors.js';
import { isInside } from '../path-containment.js';
import type { PathPattern, PatternRoot } from '../path-patterns.js';
import { protectedBy } from '../protected-paths.js';
import { identityFrom, statOf } from './folder-cache.js';

/** A place that a process gets, and which file or folder it was when it was looked at. */
export interface Root {
  readonly path: string;
  readonly identity: string;
  readonly isFolder: boolean;
  readonly uid: number;
}

/** Whether it is, or lies in, something of another user that only that user may enter. */
export function isForeign(path: string, uid: number): boolean {
  const owner = statOf(path)?.uid;
  if (owner !== undefined && owner !== uid) return true;
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const stat = statOf(folder);
    if (stat && stat.uid !== uid && (stat.mode & constants.S_IXOTH) === 0) return true;
  }
  return false;
}

export interface Roots {
  readonly read: readonly Root[];
  readonly write: readonly Root[];
  /** Names that lead to roots through links. */
  readonly aliases: readonly { readonly path: string; readonly target: string }[];
  readonly notes: readonly string[];
}

/** A pattern's root, with everything about it that does not depend on the disk. */
export interface RootPattern {
  readonly source: string;
  readonly root: PatternRoot;
  /** The entry of the built-in list that it lies in. */
  readonly protection: string | undefined;
}

export interface RootPatterns {
  readonly read: readonly RootPattern[];
  readonly write: readonly RootPattern[];
}

// Not in fs.constants; the value is the same on every Linux architecture that Node runs on.
const O_PATH = 0o10000000;
/** The sandbox has these of its own; the host's would show other processes, or devices. */
const OWN_PLACES = ['/proc', '/dev'];

/** The places that patterns begin at, as they are on the disk now. Who may write a place may read it. */
export function resolveRoots({ read, write }: RootPatterns, look: (path: string) => Root | undefined): Roots {
  const notes: string[] = [];
  const writable = new Map<string, Root>();
  const readable = new Map<string, Root>();
  for (const pattern of write) {
    const found = look(pattern.root.realPath);
    notes.push(...writeNotes(pattern, found));
    if (found) (pattern.protection ? readable : writable).set(found.path, found);
  }
  for (const pattern of read) {
    const found = look(pattern.root.realPath);
    if (!found) continue;
    notes.push(...supersetNote('fsRead', pattern, found));
    readable.set(found.path, found);
  }
  const widest = outermost([...writable.values()]);
  return {
    write: widest,
    read: outermost([...readable.values()]).filter(({ path }) => !isBelowAny(path, widest)),
    aliases: aliasesOf([...write, ...read].map(({ root }) => root)),
    notes: [...new Set(notes)],
  };
}

function writeNotes(pattern: RootPattern, found: Root | undefined): readonly string[] {
  const { root, protection } = pattern;
  if (!found) {
    return [
      `fsWrite: "${root.realPath}" does not exist, so nothing can be written there; make it, or allow the folder it is to be made in`,
    ];
  }
  if (protection) return [`fsWrite: "${root.realPath}" is read-only, for "${protection}" is protected`];
  return supersetNote('fsWrite', pattern, found);
}

/** Looks at places; one that is still the file or folder it was needs no second look. */
export class RootWatch {
  readonly #known = new Map<string, Root>();

  look(path: string): Root | undefined {
    const stat = statOf(path);
    const known = this.#known.get(path);
    if (known && stat && known.identity === identityFrom(stat) && known.uid === stat.uid) return known;
    const root = stat && lookAt(path);
    if (root) this.#known.set(path, root);
    return root;
  }
}

/**
 * What stands at a real path, looked at through a descriptor: whoever swaps it for a link meanwhile is found out,
 * for then the descriptor leads elsewhere.
 */
function lookAt(path: string): Root | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, O_PATH | constants.O_NOFOLLOW);
  } catch {
    return undefined;
  }
  try {
    const stat = fstatSync(descriptor);
    if (stat.isSymbolicLink() || readlinkSync(`/proc/self/fd/${descriptor}`) !== path) return undefined;
    return { path, identity: identityFrom(stat), isFolder: stat.isDirectory(), uid: stat.uid };
  } finally {
    closeSync(descriptor);
  }
}

/** The roots of patterns; refuses those that no sandbox can show. */
export function rootPatternsOf(
  patterns: readonly PathPattern[],
  realWorkspace: string,
): readonly RootPattern[] {
  return patterns.flatMap(({ source, roots }) =>
    roots.map((root) => {
      const place = OWN_PLACES.find((own) => isInside(root.realPath, own));
      if (place === undefined) return { source, root, protection: protectedBy(root.realPath, realWorkspace) };
      throw new DeniedError(
        `The process is refused: "${source}" lies in ${place}, of which a confined process has its own`,
      );
    }),
  );
}

/** What is mounted is a whole place; a pattern that means less is still checked where the library opens files. */
function supersetNote(
  layer: 'fsRead' | 'fsWrite',
  { source, root }: RootPattern,
  found: Root,
): readonly string[] {
  const isExact = root.covers === 'everything' || (root.covers === 'itself' && !found.isFolder);
  return isExact ? [] : [`${layer}: "${source}" is held as all of "${found.path}"`];
}

/** Without those that lie in another one. */
function outermost(roots: readonly Root[]): readonly Root[] {
  return roots.filter(
    ({ path }) =>
      !isBelowAny(
        path,
        roots.filter((other) => other.path !== path),
      ),
  );
}

function isBelowAny(path: string, roots: readonly Root[]): boolean {
  return roots.some((root) => isInside(path, root.path));
}

function aliasesOf(roots: readonly PatternRoot[]): Roots['aliases'] {
  const linked = roots.filter(({ path, realPath }) => path !== realPath);
  return [...new Map(linked.map(({ path, realPath }) => [path, realPath]))].map(([path, target]) => ({
    path,
    target,
  }));
}
