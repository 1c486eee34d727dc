import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf, ToolgateError } from '../../../domain/errors.js';
import { NO_PERMISSIONS } from '../../../domain/restrictions.js';
import type { SandboxPolicy } from '../../../ports/sandbox.js';
import { killProcesses } from './find-processes.js';
import type { Sight } from './trial.js';

const MIB = 1024 * 1024;

/** What every trial runs with: small enough to exceed without hurting the machine, enough for Node to start. */
export const STAGE_LIMITS = { memoryBytes: 256 * MIB, pids: 32, maxOutputBytes: 64 * 1024 } as const;

/** A world of its own for the trials: a workspace, places around it that are out of bounds, and a secret. */
export class Stage {
  /** Nobody can guess it, so whoever says it has read it. */
  readonly secret = randomUUID();
  readonly #name = randomUUID();
  readonly base: string;
  readonly workspace: string;
  /** May be read, not written. */
  readonly readOnly: string;
  readonly outside: string;
  readonly policy: SandboxPolicy;

  constructor() {
    this.base = makeBase();
    this.workspace = this.#folder('workspace');
    this.readOnly = this.#folder('read-only');
    this.outside = this.#folder('outside');
    this.policy = {
      workspace: this.workspace,
      permissions: {
        ...NO_PERMISSIONS,
        read: [`${this.workspace}/**`, `${this.readOnly}/**`],
        write: [`${this.workspace}/**`],
        commands: 'any',
        limits: STAGE_LIMITS,
      },
      // Else nothing at all would run without the kernel layer, and nobody would see what that means.
      onUnavailable: 'warn',
    };
  }

  /** A file beyond the workspace: beside it, and in the home, since a sandbox may treat the two differently. */
  outsidePaths(name: string): readonly string[] {
    const home = homeFolder();
    const beside = join(this.outside, name);
    return home === undefined ? [beside] : [beside, join(home, `.toolgate-doctor-${this.#name}-${name}`)];
  }

  inWorkspace(name: string): string {
    return join(this.workspace, name);
  }

  /** Where a script leaves its mark once it has tried. */
  markOf(id: string): string {
    return this.inWorkspace(`${id}.tried`);
  }

  /** Nothing was seen; that says something only if the script really tried. */
  nothingSeen(id: string): Sight {
    if (existsSync(this.markOf(id))) return { seen: 'nothing' };
    return { seen: 'no attempt', detail: 'what it takes is missing here, or the script ended before it' };
  }

  /** Ends what is left of any trial and removes every file; gives what it could not remove. */
  close(): readonly string[] {
    killProcesses(this.base);
    const planted = ['written', 'secret'].flatMap((name) => this.outsidePaths(name));
    return [...planted, this.base].filter((path) => !isRemoved(path));
  }

  #folder(name: string): string {
    const path = join(this.base, name);
    mkdirSync(path);
    return path;
  }
}

/** Some containers run as a user whom the system does not know. */
function homeFolder(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

function isRemoved(path: string): boolean {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
    return true;
  } catch {
    return false;
  }
}

function makeBase(): string {
  try {
    return realpathSync(mkdtempSync(join(tmpdir(), 'toolgate-doctor-')));
  } catch (error) {
    throw new ToolgateError(
      'SYSTEM.IO.WRITE_FAILED',
      `A folder for temporary files cannot be made: ${messageOf(error)}`,
      { cause: error },
    );
  }
}
