import { dirname } from 'node:path';
import { DeniedError } from '../../domain/errors.js';
import type { SandboxPolicy } from '../../ports/sandbox.js';
import { locate, pathsIn } from './argument-paths.js';
import { isInside, realPathOf } from './path-containment.js';
import { literalRootOf } from './path-patterns.js';
import { shown } from './shown.js';

/** The system's own places: a confined process finds them, or something else under their names. */
const SYSTEM = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/gnu/store'],
  ...['/etc', '/dev', '/proc', '/sys', '/run'],
];
/** Places that a process has to itself: a new name in them is its own. */
const OWN = ['/', '/tmp', '/var/tmp'];

/**
 * What a confined process finds under a name. The kernel holds it either way; but a path that is there for everybody
 * else, and would only be missing inside, is better refused in words than with an error that misleads.
 */
export class VisiblePaths {
  readonly #workspace: string;
  readonly #roots: readonly string[];

  constructor({ workspace, permissions }: SandboxPolicy) {
    this.#workspace = realPathOf(workspace);
    const patterns = [...permissions.read, ...permissions.write].filter((source) => !source.startsWith('!'));
    const roots = [workspace, dirname(dirname(process.execPath)), ...patterns.map(literalRootOf)];
    this.#roots = [...SYSTEM, ...roots.map(realPathOf)];
  }

  /** Refuses a word that is, or ends in, a path which this process would not find. */
  check(word: string): void {
    for (const candidate of pathsIn(word)) {
      const { nearest } = locate(candidate, this.#workspace);
      if (OWN.includes(nearest) || this.#roots.some((root) => isInside(nearest, root))) continue;
      throw new DeniedError(
        `The argument ${shown(word)} is refused: ${shown(nearest)} is outside of what this tool may reach`,
      );
    }
  }
}
