import { dirname } from 'node:path';
import type { Confinement } from '../../../ports/sandbox.js';
import { isInside, segmentsOf } from '../path-containment.js';

/** One thing that is put into the empty root of a sandbox. */
export type Mount =
  | { readonly kind: 'read' | 'write'; readonly path: string; readonly isOptional?: boolean }
  /** Bound from its own place, whatever else is. */
  | { readonly kind: 'program'; readonly path: string }
  | { readonly kind: 'link'; readonly path: string; readonly target: string }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'hidden-file' | 'hidden-folder'; readonly path: string }
  /** Nothing there, until something is mounted in it; then it is sealed. */
  | { readonly kind: 'empty' | 'seal'; readonly path: string };

/** Everything a confinement shows beside the system, outermost first: what is mounted later lies on top. */
export function mountsOf(confinement: Confinement, cwd: string, system: readonly Mount[]): readonly Mount[] {
  const { readRoots, writeRoots, hidden, programs, aliases } = confinement;
  const shown = system.filter(({ kind }) => kind === 'read').map(({ path }) => path);
  const roots = [...readRoots, ...writeRoots];
  const isHidden = (path: string) => hidden.some((place) => isInside(path, withoutSlash(place)));
  const guards = confinement.readOnly.filter((path) => !isHidden(path));
  const mounts: Mount[] = [
    ...readRoots.map((path) => ({ kind: 'read' as const, path })),
    ...writeRoots.map((path) => ({ kind: 'write' as const, path })),
    ...programs.filter((path) => !isBelowAny(path, roots)).map((path) => ({ kind: 'read' as const, path })),
    ...passagesOf(confinement).map((path) => ({ kind: 'write' as const, path, isOptional: true })),
    ...guards.map((path) => ({ kind: 'read' as const, path, isOptional: true })),
    ...hidden.map(hiddenMount),
  ];
  const links = aliases.filter(({ path }) => !isBelowAny(path, [...roots, ...shown])).map(linkMount);
  const sorted = mounts.sort((left, right) => depthOf(left.path) - depthOf(right.path));
  if (isBelowAny(cwd, roots) || links.some(({ path }) => path === cwd)) return [...sorted, ...links];
  // A workspace below /usr is there with the system, and nobody has allowed to read it.
  if (isBelowAny(cwd, shown))
    return [{ kind: 'empty', path: cwd }, ...sorted, ...links, { kind: 'seal', path: cwd }];
  return [...sorted, ...links, { kind: 'folder', path: cwd }];
}

/**
 * The folders between a write root and what is read-only or hidden in it. As mounts of their own they cannot be
 * renamed; else `mv .git x` would leave room for another `.git`, and `mv conf x` would show what is hidden in it.
 */
export function passagesOf({ readOnly, hidden, writeRoots }: Confinement): readonly string[] {
  const covers = hidden.map(withoutSlash);
  const held = [...readOnly.filter((path) => !isBelowAny(path, covers)), ...covers];
  const passages = held.flatMap((path) => {
    const between: string[] = [];
    for (let folder = dirname(path); isStrictlyBelowAny(folder, writeRoots); folder = dirname(folder))
      between.push(folder);
    return between;
  });
  // Below what is held nothing can be renamed, and a passage there could be written.
  return [...new Set(passages)].filter((path) => !isBelowAny(path, [...readOnly, ...covers]));
}

function hiddenMount(path: string): Mount {
  return path.endsWith('/')
    ? { kind: 'hidden-folder', path: withoutSlash(path) }
    : { kind: 'hidden-file', path };
}

function linkMount({ path, target }: Confinement['aliases'][number]): Extract<Mount, { kind: 'link' }> {
  return { kind: 'link', path, target };
}

function isBelowAny(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => isInside(path, root));
}

function isStrictlyBelowAny(path: string, roots: readonly string[]): boolean {
  return !roots.includes(path) && isBelowAny(path, roots);
}

/** A path of `hidden` without the slash that marks a folder. */
export function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

function depthOf(path: string): number {
  return segmentsOf(path).length;
}
