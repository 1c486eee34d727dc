import type {
  ProcessCommand,
  ProcessContext,
  ProcessOutcome,
  ProcessPlan,
  Sandbox,
  SandboxCapabilities,
  SandboxPolicy,
} from '../../../../src/ports/sandbox.js';

/** The real sandbox, and a list of what it was told to start. */
export class RecordingSandbox implements Sandbox {
  readonly started: ProcessPlan[] = [];

  constructor(private readonly inner: Sandbox) {}

  probe(context: { readonly signal: AbortSignal }): Promise<SandboxCapabilities> {
    return this.inner.probe(context);
  }

  plan(policy: SandboxPolicy, command: ProcessCommand): Promise<ProcessPlan> {
    return this.inner.plan(policy, command);
  }

  run(plan: ProcessPlan, context: ProcessContext): Promise<ProcessOutcome> {
    this.started.push(plan);
    return this.inner.run(plan, context);
  }
}
