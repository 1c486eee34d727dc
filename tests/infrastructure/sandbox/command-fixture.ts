import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Permissions } from '../../../src/domain/restrictions.js';
import { ProcessSandbox } from '../../../src/infrastructure/sandbox/process-sandbox.js';
import { Fixture, NEVER } from './fixture.js';

/** Programs that this machine may lack; what they do does not matter, for they must not be started. */
const STUBS = ['rg', 'fd', 'busybox', 'go', 'rsync', 'wget', 'man', 'python3', 'npm', 'curl', 'vim', 'ssh'];

export interface Attempt {
  readonly output: string;
  readonly exitCode?: number | null;
  /** What it was refused with. */
  readonly code?: string;
}

/** A workspace in which many a command would do harm, if it were run. */
export class CommandFixture extends Fixture {
  constructor() {
    super();
    this.write('ws/f.txt', 'b\na\n');
    this.write('out/secret.txt', 'TOP-SECRET');
    this.script('ws/p.sh', `touch ${this.out}/pwned`);
    this.script('ws/bin/ls', `touch ${this.out}/pwned`);
    for (const name of STUBS) this.script(`stubs/${name}`, `touch ${this.out}/pwned`);
  }

  /** Runs a model's command line where only some commands are listed. */
  async attempt(commands: string, line: string, more: Partial<Permissions> = {}): Promise<Attempt> {
    const sandbox = new ProcessSandbox();
    const listed = commands
      .split(' ')
      .map((name) => (STUBS.includes(name) ? join(this.base, 'stubs', name) : name));
    const commandLine = this.fill(line);
    try {
      const policy = this.policy({ commands: listed, ...more });
      const plan = await sandbox.plan(policy, { kind: 'command-line', commandLine });
      const { output, exitCode } = await sandbox.run(plan, { signal: NEVER });
      return { output, exitCode };
    } catch (error) {
      return { code: (error as { code?: string }).code ?? String(error), output: String(error) };
    }
  }

  /** What was done to the folder that nothing may touch. */
  harm(): readonly string[] {
    const secret = readFileSync(join(this.out, 'secret.txt'), 'utf8');
    return [
      ...(existsSync(join(this.out, 'pwned')) ? ['something was run or written'] : []),
      ...(secret === 'TOP-SECRET' ? [] : ['the secret was changed']),
    ];
  }
}
