import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Confinement } from '../../../../ports/sandbox.js';
import { isInside } from '../../path-containment.js';
import type { SystemView } from '../system-view.js';

/** A place in memory that a strict sandbox gets from its stage. */
export type Scratch = 'home' | 'tmp' | 'shm';

const SCRATCHES: readonly Scratch[] = ['home', 'tmp', 'shm'];
/** Where a stage is built. Nothing is left there: it is covered in a namespace of its own, and no root lies in /dev. */
const FOLDERS = ['/dev/shm', '/dev/mqueue', '/dev/pts'];

/**
 * Copies of the places that a strict sandbox shows, mounted so that nothing in them can be run. bwrap cannot mount
 * like that; but what it binds keeps the flags of its source, so that it is given these as sources.
 */
export class Stage {
  /** In the order in which they are mounted. */
  readonly places: readonly string[];

  constructor(
    { readRoots, writeRoots, programs }: Confinement,
    system: SystemView,
    readonly folder = stageFolder(),
  ) {
    const shared = system.mounts.flatMap(({ kind, path }) => (kind === 'read' ? [path] : []));
    this.places = [...new Set([...shared, ...readRoots, ...writeRoots, ...programs])];
  }

  /** Where the copy of a path lies. */
  sourceOf(path: string): string {
    const holding = this.places.filter((place) => isInside(path, place));
    const place = holding.reduce((best, one) => (one.length > best.length ? one : best), '');
    // Never the original: a path that has no copy is one that cannot be mounted.
    if (place === '') return join(this.folder, 'none');
    return join(this.targetOf(this.places.indexOf(place)), relative(place, path));
  }

  scratch(name: Scratch): string {
    return join(this.folder, name);
  }

  targetOf(index: number): string {
    return join(this.folder, String(index));
  }

  get scratches(): readonly string[] {
    return SCRATCHES.map((name) => this.scratch(name));
  }
}

function stageFolder(): string {
  return FOLDERS.find((path) => existsSync(path)) ?? '/dev/shm';
}
