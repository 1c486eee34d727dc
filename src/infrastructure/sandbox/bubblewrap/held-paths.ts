import { existsSync, realpathSync } from 'node:fs';
import { DeniedError } from '../../../domain/errors.js';
import { isInside, segmentsOf } from '../path-containment.js';
import { type GuardScan, linkTarget } from './guard-scan.js';

/** What is mounted read-only for a process. */
export interface HeldPaths {
  readonly readOnly: readonly string[];
  readonly notes: readonly string[];
}

interface Held {
  readonly path: string;
  /** The innermost write root that it is in. */
  readonly root: string;
}

/** Each is a mount, and so are the folders on the way to it: more make a start slow. */
const MAX_HELD = 256;
const MAX_SAID = 5;

/**
 * Guarded files themselves, what guarded links lead to, and folders that could not be looked into. Where they are
 * too many, folders are held that have several of them inside; what cannot be held at all is refused.
 */
export function heldPaths(
  scan: GuardScan,
  writeRoots: readonly string[],
  maxHeld: number = MAX_HELD,
): HeldPaths {
  const found = [...new Set([...guardedPlaces(scan), ...scan.unseen.keys()])];
  for (const path of scan.unseen.keys()) if (writeRoots.includes(path)) throw notHeld(path, scan);
  // Where a root is protected as such, so is each thing in it.
  const all = found.flatMap((path) => (writeRoots.includes(path) ? [] : placeIn(writeRoots, path)));
  const outermost = withoutNested(all);
  const held = outermost.length > maxHeld ? gather(outermost, maxHeld) : outermost;
  const whole = held.filter(({ path }) => !outermost.some((one) => one.path === path));
  return {
    readOnly: held.map(({ path }) => path),
    notes: [...unseenNotes(scan), ...wholeNotes(whole.map(({ path }) => path))],
  };
}

function guardedPlaces({ guarded }: GuardScan): readonly string[] {
  return [...guarded].flatMap(([path, state]) => {
    if (linkTarget(state) === undefined) return [path];
    return existsSync(path) ? [realpathSync(path)] : [];
  });
}

function placeIn(writeRoots: readonly string[], path: string): readonly Held[] {
  const around = writeRoots.filter((root) => isInside(path, root));
  const [first, ...others] = around;
  if (first === undefined) return [];
  return [{ path, root: others.reduce((inner, root) => (isInside(root, inner) ? root : inner), first) }];
}

/** On what is held nothing is mounted again: the way to it would be writable. */
function withoutNested(all: readonly Held[]): readonly Held[] {
  const roots = new Map(all.map(({ path, root }) => [path, root]));
  return all.filter(({ path, root }) => !ancestorsOf(path, root).some((place) => roots.get(place) === root));
}

/** The deepest folders first, for they take the least away; of these, those with the most inside. */
function gather(all: readonly Held[], maxHeld: number): readonly Held[] {
  let held = all;
  const deepest = Math.max(...all.map(({ path }) => depthOf(path)));
  for (let depth = deepest - 1; depth > 0 && held.length > maxHeld; depth--)
    held = gatherAt(held, depth, maxHeld);
  if (held.length <= maxHeld) return held;
  throw new DeniedError(
    `The process is refused: there are ${held.length} places with protected files where it may write, and no more than ${maxHeld} can be held; narrow paths.write`,
  );
}

function gatherAt(held: readonly Held[], depth: number, maxHeld: number): readonly Held[] {
  const left = new Set(held);
  const groups = groupsAt(held, depth).sort((one, other) => other.inside.length - one.inside.length);
  for (const { place, inside } of groups) {
    if (left.size <= maxHeld || inside.length < 2) break;
    for (const one of inside) left.delete(one);
    left.add(place);
  }
  return [...left];
}

function groupsAt(held: readonly Held[], depth: number): { place: Held; inside: Held[] }[] {
  const groups = new Map<string, { place: Held; inside: Held[] }>();
  for (const one of held) {
    const path = ancestorsOf(one.path, one.root).find((folder) => depthOf(folder) === depth);
    if (path === undefined) continue;
    const key = `${path}\0${one.root}`;
    const group = groups.get(key) ?? { place: { path, root: one.root }, inside: [] };
    group.inside.push(one);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** The folders that a path is in, strictly below its root. */
function ancestorsOf(path: string, root: string): readonly string[] {
  const places: string[] = [];
  for (let end = path.lastIndexOf('/'); end > root.length; end = path.lastIndexOf('/', end - 1))
    places.push(path.slice(0, end));
  return places;
}

function depthOf(path: string): number {
  return segmentsOf(path).length;
}

const WHY = {
  closed: 'cannot be read',
  crowded: 'has too many entries to find protected files among them',
  beyond: 'comes after too many other folders to be searched for protected files',
} as const;

function notHeld(root: string, { unseen }: GuardScan): DeniedError {
  const why = unseen.get(root);
  const problem = why === undefined ? 'is protected' : WHY[why];
  return new DeniedError(
    `The process is refused: it may write all of "${root}", which ${problem}; narrow paths.write`,
  );
}

function unseenNotes({ unseen }: GuardScan): readonly string[] {
  const notes = [...unseen].map(([path, why]) => `fsWrite: "${path}" is read-only, for it ${WHY[why]}`);
  return shortened(notes, 'folders are read-only for the same reasons');
}

function wholeNotes(paths: readonly string[]): readonly string[] {
  const notes = paths.map(
    (path) =>
      `fsWrite: all of "${path}" is read-only, for there are too many protected files to hold each of them`,
  );
  return shortened(notes, 'folders are read-only as well');
}

function shortened(notes: readonly string[], others: string): readonly string[] {
  const more = notes.length - MAX_SAID;
  return more > 0 ? [...notes.slice(0, MAX_SAID), `fsWrite: ${more} more ${others}`] : notes;
}
