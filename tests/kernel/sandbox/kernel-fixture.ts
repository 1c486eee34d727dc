import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Permissions } from '../../../src/domain/restrictions.js';
import {
  type BubblewrapOptions,
  BubblewrapSandbox,
} from '../../../src/infrastructure/sandbox/bubblewrap/bubblewrap-sandbox.js';
import type { ProcessContext, ProcessOutcome, SandboxPolicy } from '../../../src/ports/sandbox.js';
import { Fixture } from '../../infrastructure/sandbox/fixture.js';

/** A workspace, a folder beside it, and a sandbox that may use the workspace. */
export class KernelFixture extends Fixture {
  readonly sandbox: BubblewrapSandbox;

  constructor(warm = 0, more: BubblewrapOptions = {}) {
    super();
    this.sandbox = new BubblewrapSandbox({ warm, ...more });
  }

  /** Everything in the workspace, and any program. */
  workspacePolicy(more: Partial<Permissions> = {}): SandboxPolicy {
    const all = [`${this.root}/**`];
    return { ...this.policy({ read: all, write: all, commands: 'any', ...more }), onUnavailable: 'deny' };
  }

  /** Runs a script; with permissions for the workspace unless told otherwise. */
  async shell(
    commandLine: string,
    more: Partial<Permissions> = {},
    context: Partial<ProcessContext> = {},
  ): Promise<ProcessOutcome> {
    return this.shellWith(this.workspacePolicy(more), commandLine, context);
  }

  async shellWith(
    policy: SandboxPolicy,
    commandLine: string,
    context: Partial<ProcessContext> = {},
  ): Promise<ProcessOutcome> {
    const plan = await this.sandbox.plan(policy, { kind: 'command-line', commandLine });
    return this.sandbox.run(plan, { signal: new AbortController().signal, ...context });
  }

  /** What it prints, and nothing else. */
  async output(commandLine: string, more: Partial<Permissions> = {}): Promise<string> {
    return (await this.shell(commandLine, more)).output;
  }

  has(path: string): boolean {
    return existsSync(join(this.base, path));
  }

  read(path: string): string {
    return readFileSync(join(this.base, path), 'utf8');
  }
}
