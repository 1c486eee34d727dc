import { DeniedError } from '../../domain/errors.js';
import type {
  ProcessCommand,
  ProcessContext,
  ProcessOutcome,
  ProcessPlan,
  Sandbox,
  SandboxCapabilities,
  SandboxPolicy,
} from '../../ports/sandbox.js';
import type { Service, ServiceContext } from '../../ports/service.js';
import { ProcessSandbox } from './process-sandbox.js';

/** A sandbox that may have to be closed. */
export interface ClosableSandbox extends Sandbox {
  close(): Promise<void>;
}

interface Choice {
  readonly sandbox: Sandbox;
  readonly capabilities: SandboxCapabilities;
}

const NEVER = new AbortController().signal;

/** The best there is on this machine, found out when it is first needed: the kernel's, else checks of our own. */
export class SystemSandbox implements Sandbox {
  readonly #kernel: ClosableSandbox;
  #chosen: Promise<Choice> | undefined;

  constructor(kernel: ClosableSandbox) {
    this.#kernel = kernel;
  }

  async probe({ signal }: { readonly signal: AbortSignal }): Promise<SandboxCapabilities> {
    signal.throwIfAborted();
    return (await this.#choose()).capabilities;
  }

  async plan(policy: SandboxPolicy, command: ProcessCommand): Promise<ProcessPlan> {
    return (await this.#choose()).sandbox.plan(policy, command);
  }

  async run(plan: ProcessPlan, context: ProcessContext): Promise<ProcessOutcome> {
    return (await this.#choose()).sandbox.run(plan, context);
  }

  async start(plan: ProcessPlan, context: ServiceContext): Promise<Service> {
    const { sandbox } = await this.#choose();
    if (sandbox.start) return sandbox.start(plan, context);
    throw new DeniedError('this sandbox starts no services', 'EXECUTION.SANDBOX.UNAVAILABLE');
  }

  /** Ends the processes that wait for calls; they end with this process, too. */
  async close(): Promise<void> {
    await this.#kernel.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #choose(): Promise<Choice> {
    this.#chosen ??= this.#tryKernel();
    return this.#chosen;
  }

  async #tryKernel(): Promise<Choice> {
    const capabilities = await this.#kernel.probe({ signal: NEVER });
    if (capabilities.kernel) return { sandbox: this.#kernel, capabilities };
    const sandbox = new ProcessSandbox({ problems: capabilities.enforcement.reasons });
    return { sandbox, capabilities: await sandbox.probe({ signal: NEVER }) };
  }
}
