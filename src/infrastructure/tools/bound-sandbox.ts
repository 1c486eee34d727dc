import { DeniedError } from '../../domain/errors.js';
import type { PlannedAction } from '../../domain/plan.js';
import type { Permissions } from '../../domain/restrictions.js';
import { otherHostProblem } from '../../domain/rules/other-host.js';
import type { AllowedPath, FileAccess, FileSlice } from '../../ports/file-access.js';
import type { AllowedTarget, NetworkAccess } from '../../ports/network-access.js';
import type {
  ProcessCommand,
  ProcessOutcome,
  ProcessPlan,
  Sandbox,
  SandboxPolicy,
  StartedProcess,
} from '../../ports/sandbox.js';
import type { ToolEntry } from '../../ports/tool-executor.js';
import type { ToolSandbox } from '../../ports/tool-sandbox.js';
import { makeFolderOf } from './keep-output.js';

/** The doors of the machine that tools go through. */
export interface SandboxPorts {
  readonly sandbox: Sandbox;
  readonly files: FileAccess;
  readonly network: NetworkAccess;
}

/** The one call, or the planning of one, that a sandbox is bound to. */
export interface SandboxBinding {
  readonly signal: AbortSignal;
  /** What was approved; absent while planning. */
  readonly action?: PlannedAction;
  /** Absent while planning: then nothing may be changed. */
  readonly running?: {
    readonly onProcess: (process: StartedProcess) => void;
    /** A file of its own for each output that is too long. */
    readonly nextOutputFile: () => string | undefined;
  };
}

const policies = new WeakMap<ToolEntry, SandboxPolicy>();
const plannedFor = new WeakMap<ProcessPlan, ToolEntry>();

/** One tool's view of the machine: every request goes on with this tool's permissions and no others. */
export class BoundSandbox implements ToolSandbox {
  readonly #entry: ToolEntry;
  readonly #ports: SandboxPorts;
  readonly #binding: SandboxBinding;

  constructor(entry: ToolEntry, ports: SandboxPorts, binding: SandboxBinding) {
    this.#entry = entry;
    this.#ports = ports;
    this.#binding = binding;
  }

  get workspace(): string {
    return this.#entry.workspace;
  }

  get permissions(): Permissions {
    return this.#entry.permissions;
  }

  async planProcess(command: ProcessCommand): Promise<ProcessPlan> {
    const plan = await this.#ports.sandbox.plan(policyOf(this.#entry), command);
    plannedFor.set(plan, this.#entry);
    return plan;
  }

  async runProcess(command: ProcessCommand | ProcessPlan): Promise<ProcessOutcome> {
    const running = this.#requireRunning('start a process');
    const plan = 'kind' in command ? await this.planProcess(command) : command;
    // A plan carries its own policy, so one that this sandbox did not make could carry any.
    if (plannedFor.get(plan) !== this.#entry)
      throw new DeniedError('this process plan is not this tool’s own');
    const outputFile = running.nextOutputFile();
    // Without the folder a long output is cut and not kept, which its result says; that is no reason not to run.
    if (outputFile !== undefined) await makeFolderOf(outputFile).catch(() => undefined);
    this.#binding.signal.throwIfAborted();
    return this.#ports.sandbox.run(plan, {
      signal: this.#binding.signal,
      onStart: running.onProcess,
      ...(outputFile === undefined ? {} : { outputFile }),
    });
  }

  async resolvePath(path: string, mode: 'read' | 'write'): Promise<AllowedPath> {
    return this.#ports.files.resolve(path, mode, this.#entry);
  }

  async readFile(path: AllowedPath, range: { readonly maxBytes?: number } = {}): Promise<FileSlice> {
    const maxBytes = range.maxBytes ?? this.permissions.limits.maxOutputBytes;
    return this.#ports.files.read(path, { maxBytes, scope: this.#entry });
  }

  async writeFile(
    path: AllowedPath,
    content: string,
    options: { readonly append?: boolean } = {},
  ): Promise<void> {
    this.#requireRunning('write a file');
    this.#binding.signal.throwIfAborted();
    await this.#ports.files.write(path, content, { append: options.append ?? false, scope: this.#entry });
  }

  async allowUrl(url: string): Promise<AllowedTarget> {
    this.#refuseOtherHost(url);
    return this.#ports.network.allow(url, this.permissions, { signal: this.#binding.signal });
  }

  /** A call that was let through for one host is not let through for whatever that host leads to. */
  #refuseOtherHost(to: string): void {
    const { action } = this.#binding;
    if (action?.kind !== 'http') return;
    const { method, url: from } = action;
    const problem = otherHostProblem(this.#entry.approval, { method, from, to });
    if (problem !== undefined) throw new DeniedError(problem);
  }

  #requireRunning(what: string): NonNullable<SandboxBinding['running']> {
    if (this.#binding.running) return this.#binding.running;
    throw new DeniedError(
      `a tool may not ${what} while its call is being planned: nobody has approved it yet`,
    );
  }
}

/** One policy object an entry, so that a sandbox can keep what it worked out for it. */
function policyOf(entry: ToolEntry): SandboxPolicy {
  const known = policies.get(entry);
  if (known) return known;
  const { workspace, permissions, onUnavailable } = entry;
  const policy: SandboxPolicy = Object.freeze({ workspace, permissions, onUnavailable });
  policies.set(entry, policy);
  return policy;
}
