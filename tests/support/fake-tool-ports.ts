import { NOTHING_ENFORCED } from '../../src/domain/enforcement.js';
import { DeniedError } from '../../src/domain/errors.js';
import type { AllowedPath, FileAccess, FileSlice } from '../../src/ports/file-access.js';
import type { AllowedTarget, NetworkAccess } from '../../src/ports/network-access.js';
import type {
  ProcessCommand,
  ProcessContext,
  ProcessOutcome,
  ProcessPlan,
  Sandbox,
  SandboxPolicy,
} from '../../src/ports/sandbox.js';

/** Plans every command as it is and answers every run with the same outcome. */
export class FakeToolSandbox implements Sandbox {
  readonly runs: { readonly plan: ProcessPlan; readonly context: ProcessContext }[] = [];
  planned = 0;
  outcome: Partial<ProcessOutcome> = {};
  confined = true;

  async probe() {
    return { enforcement: NOTHING_ENFORCED, kernel: true };
  }

  async plan(policy: SandboxPolicy, command: ProcessCommand): Promise<ProcessPlan> {
    this.planned++;
    const { confined } = this;
    return Object.freeze({ argv: argvOf(command), cwd: policy.workspace, env: [], policy, confined });
  }

  async run(plan: ProcessPlan, context: ProcessContext): Promise<ProcessOutcome> {
    this.runs.push({ plan, context });
    context.onStart?.({ pid: 42, startTime: '1' });
    const enforcement = { ...NOTHING_ENFORCED, backend: 'fake' };
    return { exitCode: 0, signal: null, output: '', enforcement, ...this.outcome };
  }
}

function argvOf(command: ProcessCommand): readonly string[] {
  if (command.kind === 'argv') return command.argv;
  if (command.kind === 'script') return ['/bin/sh', '-c', command.script, 'sh', ...command.args];
  return ['/bin/sh', '-c', command.commandLine];
}

/** Files in memory; only paths below the workspace are allowed. */
export class FakeToolFiles implements FileAccess {
  readonly files = new Map<string, Uint8Array>();
  /** Links: what a path leads to. */
  readonly links = new Map<string, string>();
  readonly maxBytesAsked: number[] = [];

  put(path: string, content: string | Uint8Array): void {
    this.files.set(path, Buffer.from(content as string));
  }

  text(path: string): string {
    return Buffer.from(this.files.get(path) ?? []).toString();
  }

  async resolve(path: string, mode: 'read' | 'write', { workspace }: { workspace: string }) {
    const absolute = path.startsWith('/') ? path : `${workspace}/${path}`;
    const real = this.links.get(absolute) ?? absolute;
    if (!real.startsWith(`${workspace}/`)) throw new DeniedError(`"${path}" is outside`);
    return { path: real, mode } as AllowedPath;
  }

  async read({ path }: AllowedPath, { maxBytes }: { maxBytes: number }): Promise<FileSlice> {
    this.maxBytesAsked.push(maxBytes);
    const bytes = this.files.get(path);
    if (!bytes) throw new Error(`no such file: ${path}`);
    return { bytes: bytes.subarray(0, maxBytes), totalBytes: bytes.length };
  }

  async write({ path }: AllowedPath, content: string, { append }: { append: boolean }): Promise<void> {
    this.put(path, append ? `${this.text(path)}${content}` : content);
  }
}

/** Every host but the refused ones leads to this machine. */
export class FakeToolNetwork implements NetworkAccess {
  readonly asked: string[] = [];
  readonly refused = new Set<string>();
  address = '127.0.0.1';

  async allow(url: string): Promise<AllowedTarget> {
    this.asked.push(url);
    const parsed = new URL(url);
    if (!/^https?:$/.test(parsed.protocol)) throw new DeniedError(`${parsed.protocol} is refused`);
    if (this.refused.has(parsed.hostname)) throw new DeniedError(`"${parsed.hostname}" is not listed`);
    return { url: parsed, addresses: [{ address: this.address, family: 4 }] };
  }
}
