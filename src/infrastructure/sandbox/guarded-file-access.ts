import { isAbsolute, resolve } from 'node:path';
import { DeniedError } from '../../domain/errors.js';
import type { Permissions } from '../../domain/restrictions.js';
import type { AllowedPath, FileAccess, FileScope, FileSlice } from '../../ports/file-access.js';
import { type Directory, type OpenRoot, openRoot } from './directory.js';
import { appendedContent, checkEntry, entryAt, openRegularFile, readSlice } from './file-entry.js';
import { checkPathText, fileError } from './file-problems.js';
import { isInside, realPathOf } from './path-containment.js';
import { type PathMode, PathPolicy } from './path-policy.js';
import { createParents, type Place, walk } from './path-walk.js';
import { replaceFile } from './replace-file.js';
import { repositoryProblem } from './repository-parts.js';
import { shown } from './shown.js';

/**
 * Files by descriptor: each path is followed by hand from the root, and what is checked is what is opened. Paths
 * are literal: no `~`, no variables, no normal forms.
 */
export class GuardedFileAccess implements FileAccess {
  readonly #minted = new WeakSet<AllowedPath>();
  readonly #policies = new WeakMap<Permissions, Map<string, Promise<PathPolicy>>>();
  readonly #writing = new Map<string, Promise<void>>();
  readonly #openRoot: OpenRoot;

  constructor(options: { readonly openRoot?: OpenRoot } = {}) {
    this.#openRoot = options.openRoot ?? openRoot;
  }

  async resolve(path: string, mode: PathMode, scope: FileScope): Promise<AllowedPath> {
    checkPathText(path);
    const policy = await this.#policyOf(scope);
    const place = this.#walkAllowed({ path, mode, scope, policy });
    place.directory.close();
    const allowed = Object.freeze({ path: place.realPath, mode }) as unknown as AllowedPath;
    this.#minted.add(allowed);
    return allowed;
  }

  async read(
    path: AllowedPath,
    options: { readonly maxBytes: number; readonly scope: FileScope },
  ): Promise<FileSlice> {
    const place = await this.#revisit(path, 'read', options.scope);
    try {
      const file = openRegularFile(place.directory, place.name);
      return await readSlice(file, options.maxBytes);
    } catch (error) {
      throw fileError(error, path.path, 'read');
    } finally {
      place.directory.close();
    }
  }

  async write(
    path: AllowedPath,
    content: string,
    options: { readonly append: boolean; readonly scope: FileScope },
  ): Promise<void> {
    // One after the other: two appends at once would both start from the same old content.
    const before = this.#writing.get(path.path) ?? Promise.resolve();
    const written = before.then(() => this.#write(path, content, options));
    const settled = written.catch(() => undefined);
    this.#writing.set(path.path, settled);
    try {
      await written;
    } finally {
      if (this.#writing.get(path.path) === settled) this.#writing.delete(path.path);
    }
  }

  async #write(
    path: AllowedPath,
    content: string,
    options: { readonly append: boolean; readonly scope: FileScope },
  ): Promise<void> {
    const place = await this.#revisit(path, 'write', options.scope);
    const checkAgain = () => checkRepository(path.path);
    try {
      const directory = startWriting(place, checkAgain);
      try {
        const addition = Buffer.from(content, 'utf8');
        const whole = options.append ? await appendedContent(directory, place.name, addition) : addition;
        await replaceFile(directory, place.name, { content: whole, checkAgain });
      } finally {
        directory.close();
      }
    } catch (error) {
      throw fileError(error, path.path, 'write');
    }
  }

  /** Follows the path once more: between the check and now, somebody may have put a link in its way. */
  async #revisit(path: AllowedPath, mode: PathMode, scope: FileScope): Promise<Place> {
    if (!this.#minted.has(path) || path.mode !== mode) {
      throw new DeniedError(`The path was not checked for this: resolve it for ${mode} first`);
    }
    const policy = await this.#policyOf(scope);
    const place = this.#walkAllowed({ path: path.path, mode, scope, policy });
    if (place.realPath === path.path) return place;
    place.directory.close();
    throw new DeniedError(`${shown(path.path)} is refused: it became a link after it was checked`);
  }

  #walkAllowed(request: WalkRequest): Place {
    const { path, mode, scope } = request;
    // Joined as text: `link/..` is the parent of what the link leads to, which only the walk knows.
    const place = walk(isAbsolute(path) ? path : `${scope.workspace}/${path}`, this.#openRoot);
    try {
      checkPlace(place, request);
      checkEntry(entryAt(place), path, mode);
      return place;
    } catch (error) {
      place.directory.close();
      throw fileError(error, path, mode);
    }
  }

  /** Compiled once for a tool, so that its roots stay what they were when it was first used. */
  async #policyOf({ permissions, workspace }: FileScope): Promise<PathPolicy> {
    const known = this.#policies.get(permissions) ?? new Map<string, Promise<PathPolicy>>();
    this.#policies.set(permissions, known);
    const policy = known.get(workspace) ?? PathPolicy.compile(permissions, workspace);
    known.set(workspace, policy);
    try {
      return await policy;
    } catch (error) {
      known.delete(workspace);
      throw error;
    }
  }
}

/** Checks and makes folders in one go: of two writes at once, each may bring half of a repository. */
function startWriting(place: Place, check: () => void): Directory {
  try {
    check();
  } catch (error) {
    place.directory.close();
    throw error;
  }
  return createParents(place);
}

function checkRepository(path: string): void {
  const reason = repositoryProblem(path);
  if (reason) throw new DeniedError(`${shown(path)} is refused: ${reason}`);
}

interface WalkRequest {
  readonly path: string;
  readonly mode: PathMode;
  readonly scope: FileScope;
  readonly policy: PathPolicy;
}

/** Policy speaks before the file system does, so that nobody learns what exists where he may not look. */
function checkPlace(place: Place, { path, mode, scope, policy }: WalkRequest): void {
  const reason = policy.refusal(place.realPath, resolve(scope.workspace, path), mode);
  if (reason) throw new DeniedError(`${shown(path)} is refused: ${reason}`);
  if (place.problem) throw Object.assign(new Error(place.problem), { code: place.problem });
  if (mode === 'read') return;
  if (path.endsWith('/')) throw new DeniedError(`${shown(path)} is refused: it names a folder, not a file`);
  if (place.missing.length === 0) return;
  const start = place.directory.path;
  if (isInside(start, realPathOf(scope.workspace)) || !policy.refusal(start, start, 'write')) return;
  throw new DeniedError(
    `${shown(path)} is refused: the folder it would be in does not exist, nor does the allowed one`,
  );
}
