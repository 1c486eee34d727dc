import { dirname } from 'node:path';
import type { Confinement, Executable } from '../../../../ports/sandbox.js';
import { isInside } from '../../path-containment.js';
import type { Mount } from '../mount-plan.js';

/**
 * What can be run, on top of everything else, from its original place, where it can be run. Folders of programs
 * become empty first, and are sealed last.
 */
export function strictMounts(confinement: Confinement, system: readonly Mount[]): readonly Mount[] {
  const { strict } = confinement;
  if (!strict) return [];
  return [
    ...strict.emptied.map((path) => ({ kind: 'empty' as const, path })),
    ...runnable(confinement, system).map((path) => ({ kind: 'program' as const, path })),
    ...strict.emptied.map((path) => ({ kind: 'seal' as const, path })),
  ];
}

/** The paths at which something can be run. */
export function runnable(confinement: Confinement, system: readonly Mount[]): readonly string[] {
  const { strict, hidden, readRoots, writeRoots, programs } = confinement;
  const isHidden = (path: string) => isBelowAny(path, hidden);
  const shared = system.flatMap(({ kind, path }) => (kind === 'link' ? [] : [path]));
  const visible = [...shared, ...readRoots, ...writeRoots, ...programs];
  // A link in a folder that is shown leads to the real path by itself, and nothing can be laid over a link.
  const isShown = (path: string) => isBelowAny(path, visible) && !strict?.emptied.includes(dirname(path));
  const places = ({ path, realPath }: Executable) => (isShown(path) ? [realPath] : [path, realPath]);
  const paths = new Set((strict?.executables ?? []).flatMap(places));
  return [...paths].filter((path) => !isHidden(path));
}

function isBelowAny(path: string, places: readonly string[]): boolean {
  return places.some((place) => isInside(path, place));
}
