import { DeniedError, type Failure } from '../../domain/errors.js';
import type { PlannedAction } from '../../domain/plan.js';
import type { ProcessCommand, ProcessOutcome, ProcessPlan } from '../../ports/sandbox.js';
import type { DetailedOutput, PlanContext, ToolContext } from '../../ports/tool-handler.js';

type ProcessAction = Extract<PlannedAction, { kind: 'process' }>;

const plans = new WeakMap<PlannedAction, ProcessPlan>();

/** What running a command would start, as it is shown to whoever approves it; `script` is how it was written. */
export async function planProcessAction(
  command: ProcessCommand,
  { sandbox }: PlanContext,
  script?: string,
): Promise<ProcessAction> {
  const plan = await sandbox.planProcess(command);
  const action: ProcessAction = {
    kind: 'process',
    argv: plan.argv,
    cwd: plan.cwd,
    ...(script === undefined ? {} : { script }),
    ...(plan.commands ? { commands: plan.commands } : {}),
    ...(plan.unread === undefined ? {} : { unread: plan.unread }),
    ...(plan.confined ? {} : { unconfined: true }),
  };
  plans.set(action, plan);
  return action;
}

/** Runs the process that was approved. A process that fails is a failure whose output is kept. */
export async function runPlannedProcess(
  command: ProcessCommand,
  context: ToolContext,
): Promise<DetailedOutput> {
  const plan = plans.get(context.action) ?? (await planAgain(command, context));
  return processOutput(await context.sandbox.runProcess(plan));
}

/** A plan that another process made is made again here, and must come out as the one that was approved. */
async function planAgain(command: ProcessCommand, { action, sandbox }: ToolContext): Promise<ProcessPlan> {
  const plan = await sandbox.planProcess(command);
  if (action.kind === 'process' && plan.cwd === action.cwd && isSame(plan.argv, action.argv)) return plan;
  throw new DeniedError(
    'not run: what was approved is not what would run now; ask again',
    'EXECUTION.APPROVAL.STALE',
  );
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((word, index) => word === right[index]);
}

function processOutput({ output, truncated, enforcement, ...end }: ProcessOutcome): DetailedOutput {
  const failure = failureOf(end);
  return {
    text: output,
    enforcement,
    ...(failure ? { failure } : {}),
    ...(truncated ? { truncated } : {}),
  };
}

function failureOf({ exitCode, signal }: Pick<ProcessOutcome, 'exitCode' | 'signal'>): Failure | undefined {
  if (exitCode === 0) return undefined;
  const message = exitCode === null ? `killed by ${signal ?? 'a signal'}` : `exit code ${exitCode}`;
  return { code: 'EXECUTION.TOOL.EXIT_CODE', message };
}
