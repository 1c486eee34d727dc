import { dirname } from 'node:path';
import type { Permissions } from '../../domain/restrictions.js';
import { realPathOf } from './path-containment.js';
import { compilePermissions, type PermissionPatterns } from './permission-patterns.js';
import { protectedBy } from './protected-paths.js';
import { repositoryProblem } from './repository-parts.js';
import { ruleInside } from './tree-search.js';

export type PathMode = 'read' | 'write';

/** What a tool may do with which paths, compiled once. */
export class PathPolicy {
  readonly #realWorkspace: string;

  private constructor(
    readonly permissions: Permissions,
    workspace: string,
    private readonly patterns: PermissionPatterns,
  ) {
    this.#realWorkspace = realPathOf(workspace);
  }

  static async compile(permissions: Permissions, workspace: string): Promise<PathPolicy> {
    return new PathPolicy(permissions, workspace, await compilePermissions(permissions, workspace));
  }

  /** Why a path may not be used, or undefined if it may. Deny wins over protect wins over allow. */
  refusal(realPath: string, asWritten: string, mode: PathMode): string | undefined {
    const denied = this.denial(realPath, asWritten);
    if (denied) return denied;
    if (mode === 'write') {
      const protection = this.#protection(realPath);
      if (protection) return protection;
    }
    if (this.patterns[mode].some((pattern) => pattern.matches(realPath))) return undefined;
    return `it is outside of what this tool may ${mode} (${this.#describe(mode)})`;
  }

  /** Why a path may not be used whatever else is allowed. A folder is forbidden with all that is in it. */
  denial(realPath: string, asWritten: string): string | undefined {
    const rule = this.patterns.deny.find(
      (pattern) =>
        withFolders(realPath).some((path) => pattern.matches(path)) ||
        withFolders(asWritten).some((path) => pattern.matchesAsWritten(path)),
    );
    return rule && `the rule deny: "${rule.source}" forbids it`;
  }

  /** Why a folder may not be gone through from top to bottom; the built-in list does not count here. */
  denialInside(realPath: string, mode: PathMode): string | undefined {
    const { deny, protect } = this.patterns;
    const found = ruleInside(realPath, mode === 'write' ? [...deny, ...protect] : deny);
    return typeof found === 'object' ? `the rule "${found.source}" forbids what is in it` : found;
  }

  /** Whether any path at all was listed. */
  get isEmpty(): boolean {
    return this.patterns.read.length === 0 && this.patterns.write.length === 0;
  }

  #protection(realPath: string): string | undefined {
    const builtIn = protectedBy(realPath, this.#realWorkspace);
    if (builtIn)
      return `"${builtIn}" is protected: what it says is run or obeyed later, outside of the sandbox`;
    const paths = withFolders(realPath);
    const rule = this.patterns.protect.find((pattern) => paths.some((path) => pattern.matches(path)));
    return rule ? `the rule protect: "${rule.source}" makes it read-only` : repositoryProblem(realPath);
  }

  #describe(mode: PathMode): string {
    const sources = this.patterns[mode].map((pattern) => pattern.source);
    return sources.length === 0 ? 'nothing is listed' : `allowed: ${sources.join(', ')}`;
  }
}

/** A path and every folder that it lies in. */
function withFolders(path: string): readonly string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...withFolders(parent)];
}
