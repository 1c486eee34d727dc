import type { StopReason } from '../domain/step-state.js';
import type { ToolOptions } from '../domain/workflow.js';
import type { CallBatch } from './call-batch.js';
import type { StepProgress } from './progress.js';
import type { StopCondition } from './stop-conditions.js';

/** What calls from outside may still do: the limits of their step, and what has ended it. */
export class CallAllowance {
  #stop: StopReason | undefined;
  #barred: StopReason | undefined;

  constructor(
    private readonly progress: StepProgress,
    private readonly limits: ToolOptions,
    private readonly conditions: readonly StopCondition[],
  ) {}

  /** What ended the session, or the limit that a call was refused by. */
  get stoppedBy(): StopReason | undefined {
    return this.#stop ?? this.#barred;
  }

  /** No further call runs; the first reason stays. */
  stop(reason: StopReason): void {
    this.#stop ??= reason;
  }

  /** What is left for a call that was just counted. */
  bounds(): Pick<CallBatch, 'runnable' | 'spent'> {
    const { maxCalls } = this.limits;
    const number = this.progress.calls;
    const spent = this.#spent();
    this.#barred ??= spent ?? (number > maxCalls ? 'max_calls' : undefined);
    return { runnable: maxCalls - (number - 1), ...(spent ? { spent } : {}) };
  }

  /** A call past `max_calls` gets an answer that says so of its own, so that limit is not among these. */
  #spent(): StopReason | undefined {
    const met = this.conditions.find((one) => one.reason !== 'max_calls' && one.isMet(this.progress));
    return this.#stop ?? met?.reason;
  }
}
