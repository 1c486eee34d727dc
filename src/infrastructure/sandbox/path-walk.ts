import { mkdirSync, readlinkSync } from 'node:fs';
import { join, parse } from 'node:path';
import { type Directory, type OpenRoot, openRoot } from './directory.js';
import { segmentsOf } from './path-containment.js';

/** Where a path leads, as the kernel would follow it. Close it when done. */
export interface Place {
  /** Absolute, without links; what does not exist is appended as it was written. */
  readonly realPath: string;
  /** The nearest directory that exists. */
  readonly directory: Directory;
  /** Names of directories between it and the entry that do not exist. */
  readonly missing: readonly string[];
  /** The entry itself; it may not exist, but it is not a link. */
  readonly name: string;
  /** Why the way could not be followed to its end, as an errno name. */
  readonly problem?: string;
}

const MAX_LINKS = 8;

/**
 * Follows an absolute path name by name, links and `..` by hand, so that at each moment it is known where one
 * really is. Nothing is created or opened for reading.
 */
export function walk(path: string, open: OpenRoot = openRoot): Place {
  const walker = new Walker(path, open);
  try {
    return walker.walk();
  } catch (error) {
    walker.here.close();
    throw error;
  }
}

/** Makes the missing directories of a place and gives the last. It takes the place over, also when it fails. */
export function createParents(place: Place): Directory {
  let here = place.directory;
  try {
    for (const name of place.missing) {
      const next = enterNew(here, name);
      here.close();
      here = next;
    }
    return here;
  } catch (error) {
    here.close();
    throw error;
  }
}

function enterNew(directory: Directory, name: string): Directory {
  try {
    mkdirSync(directory.at(name));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  return directory.enter(name);
}

/** The errno name of whatever node:fs threw. */
export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException | undefined)?.code ?? 'UNKNOWN';
}

class Walker {
  here: Directory;
  #names: string[] = [];
  /** What is still to be followed, next one last. */
  #pending: string[];
  #links = 0;

  constructor(
    readonly path: string,
    readonly open: OpenRoot,
  ) {
    this.here = open(path);
    this.#pending = namesOf(path);
  }

  walk(): Place {
    for (;;) {
      const name = this.#pending.pop();
      const place = name === undefined ? this.#atDirectory() : this.#step(name);
      if (place) return place;
    }
  }

  #step(name: string): Place | undefined {
    if (name === '.') return undefined;
    if (name === '..') return this.#goUp();
    return this.#pending.length === 0 ? this.#end(name) : this.#descend(name);
  }

  #end(name: string): Place | undefined {
    const target = readLink(this.here.at(name));
    if (target !== undefined) return this.#follow(name, target);
    return { realPath: join(this.here.path, name), directory: this.here, missing: [], name };
  }

  #descend(name: string): Place | undefined {
    try {
      const next = this.here.enter(name);
      this.here.close();
      this.here = next;
      this.#names.push(name);
      return undefined;
    } catch (error) {
      const target = readLink(this.here.at(name));
      return target === undefined ? this.#stop(name, codeOf(error)) : this.#follow(name, target);
    }
  }

  #follow(name: string, target: string): Place | undefined {
    this.#links += 1;
    if (this.#links > MAX_LINKS) return this.#stop(name, 'ELOOP');
    this.#pending.push(...namesOf(target));
    return target.startsWith('/') ? this.#restart([]) : undefined;
  }

  /** The parent of where we really are; reached from the root again, so only one directory is ever held. */
  #goUp(): undefined {
    return this.#restart(this.#names.slice(0, -1));
  }

  #restart(names: readonly string[]): undefined {
    const root = this.open(this.path);
    this.here.close();
    this.here = root;
    this.#names = [];
    this.#pending.push(...names.toReversed());
  }

  #stop(name: string, code: string): Place {
    const rest = [name, ...this.#pending.toReversed()];
    const realPath = join(this.here.path, ...rest);
    const last = rest.at(-1) ?? name;
    const isPlainRest = !rest.includes('..') && !rest.includes('.');
    const place = { realPath, directory: this.here, missing: rest.slice(0, -1), name: last };
    return code === 'ENOENT' && isPlainRest ? place : { ...place, problem: code };
  }

  /** The path was that of a directory above, or of the root. */
  #atDirectory(): Place {
    return { realPath: this.here.path, directory: this.here, missing: [], name: '.', problem: 'EISDIR' };
  }
}

function namesOf(path: string): string[] {
  return segmentsOf(path.slice(parse(path).root.length)).reverse();
}

function readLink(location: string): string | undefined {
  try {
    return readlinkSync(location);
  } catch {
    return undefined;
  }
}
