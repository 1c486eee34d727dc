import type { ApprovalDecision } from '../domain/approval.js';
import type { CallInput, CallOutcome, Effect } from '../domain/effect.js';
import { toFailure } from '../domain/errors.js';
import { failedResult, type ToolResult } from '../domain/tool-result.js';
import type { PlannedCall, ToolEntry } from '../ports/tool-executor.js';
import type { PerformContext } from './effect-performer.js';
import type { LiveStep, StepPorts } from './step-effects.js';

export interface CallScope {
  readonly live: LiveStep;
  readonly context: PerformContext;
  /** The plan that was approved, while this process still holds it. */
  readonly planned: PlannedCall | undefined;
}

/** What a call is run with. */
interface Running {
  readonly entry: ToolEntry;
  readonly ports: StepPorts;
  readonly scope: CallScope;
}

/** Runs one decided call. A plan that is no longer the approved one is not run, and one in doubt is asked about. */
export function executeCall(
  effect: Effect<'call'>,
  ports: StepPorts,
  scope: CallScope,
): Promise<CallOutcome> {
  const { planned, context, live } = scope;
  const entry = live.tools.get(effect.input.tool);
  if (!entry) {
    const message = `There is no tool "${effect.input.tool}".`;
    const result = failedResult({ code: 'EXECUTION.CALL.UNKNOWN_TOOL', message });
    return Promise.resolve({ result, at: ports.clock.now() });
  }
  const running = { entry, ports, scope };
  return planned && !context.inDoubt ? run(effect, planned, running) : runAfterCrash(effect, running);
}

async function runAfterCrash(effect: Effect<'call'>, running: Running): Promise<CallOutcome> {
  const { entry, ports, scope } = running;
  const { input } = effect;
  const refused = (result: ToolResult): CallOutcome => ({ result, at: ports.clock.now() });
  const inDoubt = () => refused(failedResult(IN_DOUBT, { approval: input.approval }));
  const planned = scope.planned ?? (await planAgain(entry, input, { ports, live: scope.live }));
  if ('success' in planned) {
    // That it cannot be planned as before says nothing about what it did before.
    return scope.context.inDoubt ? inDoubt() : refused(planned);
  }
  if (!scope.context.inDoubt || entry.handler.tool.idempotent) return run(effect, planned, running);
  const decision = await askToRunAgain(planned, input.callId, { ports, scope });
  const isYes = decision.kind === 'approved' && decision.planHash === input.planHash && !decision.arguments;
  if (!isYes) return inDoubt();
  const { result, at } = await run(effect, planned, running);
  return { result: { ...result, approval: decision.source }, at };
}

async function run(
  effect: Effect<'call'>,
  planned: PlannedCall,
  { entry, ports, scope }: Running,
): Promise<CallOutcome> {
  const { live, context } = scope;
  const { callId, approval } = effect.input;
  const attempt = context.inDoubt ? `-${ports.clock.now()}` : '';
  const outputFile = outputFileOf(live, effect.id + attempt);
  const result = await ports.executor.execute(entry, planned, {
    callId,
    signal: live.stepSignal.signal,
    timeoutMs: entry.timeoutMs ?? live.timeoutPerCallMs,
    log: (message) => live.emit({ type: 'call-log', step: live.request.step, callId, message }),
    onProcess: context.onProcess,
    ...(outputFile ? { outputFile } : undefined),
  });
  return { result: { ...result, approval }, at: ports.clock.now() };
}

/** After a crash the live plan is gone: it is made again, and must come out as the very one that was approved. */
async function planAgain(
  entry: ToolEntry,
  input: CallInput,
  { ports, live }: { readonly ports: StepPorts; readonly live: LiveStep },
): Promise<PlannedCall | ToolResult> {
  try {
    const call = { id: input.callId, tool: input.tool, arguments: input.arguments };
    const planned = await ports.executor.plan(entry, call, { signal: live.stepSignal.signal });
    if (planned.planHash === input.planHash) return planned;
    const message = 'Not run: what was approved is not what would run now. Ask again.';
    return failedResult({ code: 'EXECUTION.APPROVAL.STALE', message });
  } catch (error) {
    return failedResult(toFailure(error));
  }
}

export const IN_DOUBT = {
  code: 'EXECUTION.CALL.IN_DOUBT',
  message:
    'The process stopped while this call was running, so nobody knows whether it took effect. ' +
    'It was not run again: look at what it left before you repeat it.',
} as const;

function askToRunAgain(
  { plan, planHash }: PlannedCall,
  callId: string,
  { ports, scope }: { readonly ports: StepPorts; readonly scope: CallScope },
): Promise<ApprovalDecision> {
  const text = 'the process died while this call was running; it may have taken effect already';
  const timeoutMs = scope.live.request.limits?.approvalTimeoutMs;
  const deadline = timeoutMs === undefined ? {} : { deadline: ports.clock.now() + timeoutMs };
  return scope.context.review({ callId, plan, planHash, reason: { kind: 'in-doubt', text }, ...deadline });
}

/** A file of its own for each attempt: what a first one left is evidence, not to be written over. */
function outputFileOf(live: LiveStep, attempt: string): string | undefined {
  if (!live.folder) return undefined;
  return `${live.folder}/outputs/${attempt.replace(/[^\w.-]/g, '_')}.txt`;
}
