import { dirname } from 'node:path';
import type { Confinement, Executable, StrictConfinement } from '../../../../ports/sandbox.js';
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
    ...runnable(confinement).map((path) => ({ kind: 'program' as const, path })),
    ...linksOf(strict, confinement, system).map(({ path, realPath: target }) => ({
      kind: 'link' as const,
      path,
      target,
    })),
    ...strict.emptied.map((path) => ({ kind: 'seal' as const, path })),
  ];
}

/** The paths at which something can be run. What is hidden stays so. */
export function runnable({ strict, hidden }: Confinement): readonly string[] {
  const paths = new Set(strict?.executables.map(({ realPath }) => realPath));
  return [...paths].filter((path) => !isBelowAny(path, hidden));
}

/** Names that lead to programs; those in folders that are shown as they are lie there already. */
function linksOf(
  { executables, emptied }: StrictConfinement,
  { hidden, readRoots, writeRoots, programs }: Confinement,
  system: readonly Mount[],
): readonly Executable[] {
  const shared = system.flatMap(({ kind, path }) => (kind === 'read' ? [path] : []));
  const shown = [...shared, ...readRoots, ...writeRoots, ...programs, ...hidden];
  const isMissing = (path: string) => emptied.includes(dirname(path)) || !isBelowAny(path, shown);
  return executables.filter(({ path, realPath }) => path !== realPath && isMissing(path));
}

function isBelowAny(path: string, places: readonly string[]): boolean {
  return places.some((place) => isInside(path, place));
}
