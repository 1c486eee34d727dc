import { hash } from 'node:crypto';
import { ToolgateError } from '../../domain/errors.js';
import { canonicalJson, type Json } from '../../domain/json.js';
import { createPlan, type PlannedAction } from '../../domain/plan.js';
import type { ToolCall } from '../../domain/tool-call.js';
import { failedResult, type ToolResult } from '../../domain/tool-result.js';
import { DEFAULT_TOOL_OPTIONS } from '../../domain/workflow.js';
import type { Clock } from '../../ports/clock.js';
import type { ExecutionContext, PlannedCall, ToolEntry, ToolExecutor } from '../../ports/tool-executor.js';
import type { ToolHandler } from '../../ports/tool-handler.js';
import { BoundSandbox, type SandboxPorts } from './bound-sandbox.js';
import { cancelFailure, failureOf, resultOf } from './call-result.js';
import { RunningCall, type Settled } from './running-call.js';
import { cancelError, withinTime } from './within-time.js';

export interface RoutingToolExecutorOptions extends SandboxPorts {
  readonly clock: Clock;
}

const HANDLER_ACTION: PlannedAction = Object.freeze({ kind: 'handler' });

/** Plans and runs calls by their handlers, and answers for whatever a handler does or fails to do. */
export class RoutingToolExecutor implements ToolExecutor {
  readonly #ports: SandboxPorts;
  readonly #clock: Clock;

  constructor({ clock, ...ports }: RoutingToolExecutorOptions) {
    this.#ports = ports;
    this.#clock = clock;
  }

  plan(
    entry: ToolEntry,
    call: ToolCall,
    { signal }: { readonly signal: AbortSignal },
  ): PlannedCall | Promise<PlannedCall> {
    if (!entry.handler.plan) return plannedCall(call, HANDLER_ACTION);
    return this.#planAction(entry, call, signal).then((action) => plannedCall(call, action));
  }

  async execute(entry: ToolEntry, { plan }: PlannedCall, context: ExecutionContext): Promise<ToolResult> {
    if (context.signal.aborted) return failedResult(cancelFailure(context.signal));
    const startedAt = this.#clock.elapsed();
    try {
      const call = new RunningCall(entry, this.#ports, { context, action: plan.action });
      const returned = start(entry.handler, plan.arguments, call);
      const settled = 'outcome' in returned ? returned : await call.settle(returned.promise);
      const { timeoutMs, signal } = context;
      const durationMs = wholeMs(this.#clock.elapsed() - startedAt);
      const { maxOutputBytes } = entry.permissions.limits;
      return await resultOf(settled, { maxOutputBytes, durationMs, timeoutMs, signal, call });
    } catch (error) {
      return failedResult(failureOf(error), { durationMs: wholeMs(this.#clock.elapsed() - startedAt) });
    }
  }

  async #planAction(entry: ToolEntry, call: ToolCall, signal: AbortSignal): Promise<PlannedAction> {
    if (signal.aborted) throw cancelError(signal);
    const sandbox = new BoundSandbox(entry, this.#ports, { signal });
    const timeoutMs = entry.timeoutMs ?? DEFAULT_TOOL_OPTIONS.timeoutPerCallMs;
    const planned = entry.handler.plan?.(call.arguments, { sandbox, signal });
    const action = isThenable(planned) ? await withinTime(planned, { signal, timeoutMs }) : planned;
    if (typeof action?.kind === 'string') return action;
    throw new ToolgateError('EXECUTION.TOOL.FAILED', `"${call.tool}" gave no planned action for this call`);
  }
}

/** The hash speaks for all that a person is shown and that runs. */
function plannedCall(call: ToolCall, action: PlannedAction): PlannedCall {
  const plan = createPlan({ action, arguments: call.arguments, tool: call.tool });
  return { plan, planHash: hash('sha256', canonicalJson(plan as unknown as Json)) };
}

/** A handler that answers at once is done before there is anything to time. */
function start(
  handler: ToolHandler,
  args: ToolCall['arguments'],
  call: RunningCall,
): Settled | { readonly promise: PromiseLike<unknown> } {
  try {
    const value: unknown = handler.run(args, call);
    return isThenable(value) ? { promise: Promise.resolve(value) } : { outcome: { kind: 'returned', value } };
  } catch (error) {
    return { outcome: { kind: 'threw', error } };
  }
}

function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** Upward, so that a call that took some time does not read as none; less a hair, since clocks have fractions. */
function wholeMs(elapsed: number): number {
  return Math.max(0, Math.ceil(elapsed - 0.01));
}
