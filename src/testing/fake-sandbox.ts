import { NOTHING_ENFORCED } from '../domain/enforcement.js';
import type {
  ProcessCommand,
  ProcessOutcome,
  ProcessPlan,
  Sandbox,
  SandboxCapabilities,
  SandboxPolicy,
} from '../ports/sandbox.js';

/** A sandbox that starts nothing: it notes each plan and answers with what it was given. */
export class FakeSandbox implements Sandbox {
  readonly plans: ProcessPlan[] = [];

  constructor(private readonly answer: (plan: ProcessPlan) => Partial<ProcessOutcome> = () => ({})) {}

  async probe(): Promise<SandboxCapabilities> {
    return { enforcement: { ...NOTHING_ENFORCED, backend: 'fake' }, kernel: true };
  }

  async plan(policy: SandboxPolicy, command: ProcessCommand): Promise<ProcessPlan> {
    return Object.freeze({ argv: argvOf(command), cwd: policy.workspace, env: [], policy, confined: true });
  }

  async run(plan: ProcessPlan): Promise<ProcessOutcome> {
    this.plans.push(plan);
    const enforcement = { ...NOTHING_ENFORCED, backend: 'fake' };
    return { exitCode: 0, signal: null, output: '', enforcement, ...this.answer(plan) };
  }
}

function argvOf(command: ProcessCommand): readonly string[] {
  switch (command.kind) {
    case 'argv':
      return command.argv;
    case 'script':
      return ['/bin/sh', '-c', command.script, 'sh', ...command.args];
    case 'command-line':
      return ['/bin/sh', '-c', command.commandLine];
    default:
      throw command satisfies never;
  }
}
