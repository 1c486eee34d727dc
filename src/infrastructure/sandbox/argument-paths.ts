import { statSync } from 'node:fs';
import { basename, isAbsolute, resolve } from 'node:path';
import { DeniedError } from '../../domain/errors.js';
import type { SandboxPolicy } from '../../ports/sandbox.js';
import { isInside, realPathOf } from './path-containment.js';
import { type PathMode, PathPolicy } from './path-policy.js';
import { walk } from './path-walk.js';
import { shown } from './shown.js';
import { isThere, linkProblem } from './tree-search.js';

const HARMLESS = new Set(['/dev/null', '/dev/stdin', '/dev/stdout', '/dev/stderr']);
const MAX_PATH_LENGTH = 4096;
const MAX_CANDIDATES = 256;

/**
 * Looks for paths in the arguments of a program: not what it opens, only what it is told to. Tools without any
 * `paths` may read below the workspace this way, and write nowhere.
 */
export class ArgumentPaths {
  private constructor(
    private readonly policy: PathPolicy,
    private readonly workspace: string,
  ) {}

  static async of({ permissions, workspace }: SandboxPolicy): Promise<ArgumentPaths> {
    return new ArgumentPaths(await PathPolicy.compile(permissions, workspace), realPathOf(workspace));
  }

  /** Refuses a word if it is, or ends in, a path that this may not be done to; `folder` is where it is meant from. */
  check(word: string, mode: PathMode, folder = '.'): void {
    for (const candidate of pathsIn(word)) {
      const reason = this.#refusal(isAbsolute(candidate) ? candidate : `${folder}/${candidate}`, mode);
      if (reason) throw new DeniedError(`The argument ${shown(word)} is refused: ${reason}`);
    }
  }

  /**
   * Refuses what would be put into a folder where an entry of its name is a link: it would land where that leads.
   * Where whole trees are put there, neither they nor what they meet may hold links.
   */
  checkInto(words: readonly string[], { isDeep }: { readonly isDeep: boolean }): void {
    const paths = [...new Set(words.flatMap(pathsIn))];
    for (const folder of paths.filter((path) => isFolder(path, this.workspace))) {
      for (const path of paths.filter((other) => other !== folder)) {
        this.check(basename(path), 'write', folder);
        if (isDeep) this.checkTree(`${folder}/${basename(path)}`);
      }
    }
  }

  /** Refuses a word that names a folder with links in it. */
  checkTree(word: string): void {
    for (const candidate of pathsIn(word)) {
      const problem = linkProblem(locate(candidate, this.workspace).realPath);
      if (problem) throw new DeniedError(`The argument ${shown(word)} is refused: ${problem}`);
    }
  }

  /** Refuses a word that names a folder in which something is forbidden. */
  checkWhole(word: string, mode: PathMode): void {
    for (const candidate of pathsIn(word)) {
      const reason = this.policy.denialInside(locate(candidate, this.workspace).realPath, mode);
      if (reason) throw new DeniedError(`The argument ${shown(word)} is refused: ${reason}`);
    }
  }

  #refusal(candidate: string, mode: PathMode): string | undefined {
    const { realPath, exists, isUnclear } = locate(candidate, this.workspace);
    const asWritten = resolve(this.workspace, candidate);
    if (isUnclear) return 'it goes up (..) from a folder that does not exist yet, and may become a link';
    if (mode === 'write') return this.policy.refusal(realPath, asWritten, 'write');
    const denial = this.policy.denial(realPath, asWritten);
    if (denial) return denial;
    // Most words are no paths at all: what is not there cannot be read.
    if (isInside(realPath, this.workspace) && (this.policy.isEmpty || !exists)) return undefined;
    if (this.policy.isEmpty) return `${shown(realPath)} is outside of the workspace`;
    const reason = this.policy.refusal(realPath, asWritten, 'read');
    return reason && this.policy.refusal(realPath, asWritten, 'write') ? reason : undefined;
  }
}

/** Every part of a word that could be a path which matters. */
export function pathsIn(word: string): readonly string[] {
  const candidates = candidatesOf(word);
  if (candidates.length > MAX_CANDIDATES) {
    throw new DeniedError(`The argument ${shown(word)} is refused: too many parts of it could be paths`);
  }
  return candidates.filter((candidate) => candidate.length <= MAX_PATH_LENGTH && !HARMLESS.has(candidate));
}

export interface Location {
  readonly realPath: string;
  readonly exists: boolean;
  /** The path itself where it exists, else the nearest folder that does. */
  readonly nearest: string;
  /** It goes up from what does not exist, so where it leads may change. */
  readonly isUnclear: boolean;
}

/** Where a word leads if it is a path, links and `..` followed as the kernel would. */
export function locate(candidate: string, workspace: string): Location {
  const { realPath, directory, missing, name, problem } = walk(
    isAbsolute(candidate) ? candidate : `${workspace}/${candidate}`,
  );
  const exists = missing.length === 0 && isThere(directory.at(name));
  directory.close();
  const isUnclear = problem === 'ENOENT' && candidate.split('/').includes('..');
  return { realPath, exists, nearest: exists ? realPath : directory.path, isUnclear };
}

function isFolder(candidate: string, workspace: string): boolean {
  try {
    return statSync(isAbsolute(candidate) ? candidate : `${workspace}/${candidate}`).isDirectory();
  } catch {
    return false;
  }
}

/** Every part of a word that its program could take for a path: `x`, `--to=x`, `-ox`, `if=x`, `HEAD:x`, `@x`. */
function candidatesOf(word: string): readonly string[] {
  const values = [...word.matchAll(/[=:,@]/g)].map(({ index }) => word.slice(index + 1));
  const whole = word.startsWith('-') ? clusterValues(word) : [word];
  return [...whole, ...values].filter((candidate) => candidate !== '');
}

/** `-no/tmp/x`: any letters may be options, so the value may begin after any of them. */
function clusterValues(word: string): readonly string[] {
  const letters = /^-([A-Za-z0-9]{1,64})/.exec(word)?.[1] ?? '';
  return Array.from(letters, (_, index) => word.slice(index + 2));
}
