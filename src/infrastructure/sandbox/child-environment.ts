import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Permissions } from '../../domain/restrictions.js';
import type { SandboxPolicy } from '../../ports/sandbox.js';
import { BinaryResolver } from './binary-resolver.js';
import { GIT_VARIABLES } from './git-hardening.js';

/** Names that every process gets; the values are ours, never the host's. */
const OWN_NAMES = ['HOME', 'LANG', 'PATH', 'TERM', 'TMPDIR'] as const;

/** A home that one call has to itself; it is gone when the call is. */
export class PrivateHome {
  readonly path = mkdtempSync(join(tmpdir(), 'toolgate-home-'));

  /** Never fails: what cannot be removed is only clutter. */
  async remove(): Promise<void> {
    try {
      await rm(this.path, { recursive: true, force: true });
    } catch {
      // A tree deeper than any path is long; rm goes down step by step.
      spawnSync('/bin/rm', ['-rf', '--', this.path], { stdio: 'ignore', timeout: 5_000 });
    }
  }
}

/** The names of all variables that a process with these permissions gets. */
export function variableNames(permissions: Permissions): readonly string[] {
  return [...new Set([...OWN_NAMES, ...Object.keys(gitVariables(permissions)), ...permissions.env])].sort();
}

export interface EnvironmentPlaces {
  readonly home: string;
  /** Where programs are looked for; worked out from the policy when left out. */
  readonly searchPath?: string;
}

/** The whole environment of a process. It inherits nothing but what is permitted by name. */
export function childEnvironment(
  policy: SandboxPolicy,
  { home, searchPath = BinaryResolver.for(policy).searchPath }: EnvironmentPlaces,
): NodeJS.ProcessEnv {
  // No prototype: a polluted Object.prototype must not become somebody's variable.
  const environment = Object.assign(Object.create(null) as NodeJS.ProcessEnv, { LANG: 'C.UTF-8' });
  for (const name of policy.permissions.env) {
    const value = Object.hasOwn(process.env, name) ? process.env[name] : undefined;
    if (value !== undefined) environment[name] = value;
  }
  return Object.assign(environment, {
    PATH: searchPath,
    HOME: home,
    TMPDIR: home,
    TERM: 'dumb',
    ...gitVariables(policy.permissions),
  });
}

/** Where commands are listed, git must not be told by others what to run. */
function gitVariables({ commands }: Permissions): Readonly<Record<string, string>> {
  return typeof commands === 'string' ? {} : GIT_VARIABLES;
}
