import { DeniedError } from '../../domain/errors.js';
import { deepFreeze } from '../../domain/json.js';
import type {
  ProcessCommand,
  ProcessContext,
  ProcessOutcome,
  ProcessPlan,
  Sandbox,
  SandboxCapabilities,
  SandboxPolicy,
} from '../../ports/sandbox.js';
import { variableNames } from './child-environment.js';
import { CommandPlanner, isExecChecked } from './command-planner.js';
import { inProcessEnforcement } from './process-enforcement.js';
import { runProcess } from './process-runner.js';

export interface ProcessSandboxOptions {
  /** Why the kernel layer is missing, for whoever is refused. */
  readonly problems?: readonly string[];
}

/**
 * Processes with checks in our own process only: which program runs, with which environment and limits, and that
 * nothing of it remains. What it reads, writes and connects to, nobody holds; every outcome says so.
 */
export class ProcessSandbox implements Sandbox {
  readonly #planners = new WeakMap<SandboxPolicy, Promise<CommandPlanner>>();
  readonly #problems: readonly string[];

  constructor({ problems = [] }: ProcessSandboxOptions = {}) {
    this.#problems = problems;
  }

  async probe(_context: { readonly signal: AbortSignal }): Promise<SandboxCapabilities> {
    const enforcement = inProcessEnforcement({ isExecChecked: true, isGone: true });
    return {
      kernel: false,
      enforcement: { ...enforcement, reasons: [...this.#problems, ...enforcement.reasons] },
    };
  }

  async plan(policy: SandboxPolicy, command: ProcessCommand): Promise<ProcessPlan> {
    if (policy.onUnavailable === 'deny' || process.platform === 'win32') throw unavailable(this.#problems);
    if (policy.permissions.strict) throw notStrict(this.#problems);
    const planner = await this.#plannerOf(policy);
    return deepFreeze({
      argv: [...planner.plan(command)],
      ...planner.read(command),
      cwd: policy.workspace,
      env: [...variableNames(policy.permissions)],
      policy,
      confined: false,
    });
  }

  async run(plan: ProcessPlan, context: ProcessContext): Promise<ProcessOutcome> {
    const { isGone, ...end } = await runProcess(plan, context);
    return { ...end, enforcement: inProcessEnforcement({ isExecChecked: isExecChecked(plan), isGone }) };
  }

  /** Kept for each policy, so that the roots of its paths stay what they were when it was first used. */
  async #plannerOf(policy: SandboxPolicy): Promise<CommandPlanner> {
    const planner = this.#planners.get(policy) ?? CommandPlanner.create(policy, { contained: false });
    this.#planners.set(policy, planner);
    try {
      return await planner;
    } catch (error) {
      this.#planners.delete(policy);
      throw error;
    }
  }
}

function unavailable(problems: readonly string[]): DeniedError {
  const because = problems.length === 0 ? '' : ` (${problems.join('; ')})`;
  const missing =
    process.platform === 'win32'
      ? 'processes cannot be started safely on Windows'
      : `the kernel layer, which holds files and network of processes, is not available here${because}; \`sandbox: { on_unavailable: warn }\` in the workflow runs them with checks in this process only`;
  return new DeniedError(`The process is refused: ${missing}`, 'EXECUTION.SANDBOX.UNAVAILABLE');
}

/** Whatever `on_unavailable` says: it asks for fewer checks, and strict is a promise about what the kernel holds. */
function notStrict(problems: readonly string[]): DeniedError {
  const because = problems.length === 0 ? '' : ` (${problems.join('; ')})`;
  return new DeniedError(
    `The process is refused: its tool is strict, which only the kernel layer can hold, and that is not available here${because}`,
    'EXECUTION.SANDBOX.UNAVAILABLE',
  );
}
