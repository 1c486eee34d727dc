import { addUsage, NO_USAGE, type Usage } from '../domain/message.js';
import type { Budget } from '../domain/workflow.js';
import type { Progress } from './progress.js';
import { maxCost, maxDuration, maxTokens, type StopCondition } from './stop-conditions.js';

/** What all steps of a run may use together. A resumed run computes the same again from its record. */
export class SharedBudget {
  #spent: Usage = NO_USAGE;
  #startedAt: number | undefined;

  constructor(private readonly limits: Budget) {}

  /** Told when a step begins; the first of them is when the run's time begins. */
  begin(at: number): void {
    this.#startedAt ??= at;
  }

  /** Told what a step has used, once it is over. */
  spend(usage: Usage): void {
    this.#spent = addUsage(this.#spent, usage);
  }

  /** When the run's time is up, if it has a limit. */
  get deadline(): number | undefined {
    const { maxDurationMs } = this.limits;
    return maxDurationMs === undefined || this.#startedAt === undefined
      ? undefined
      : this.#startedAt + maxDurationMs;
  }

  /** The limits as conditions of a step: each looks at what the steps before have used as well. */
  conditions(): readonly StopCondition[] {
    const { maxDurationMs, maxTokens: tokens, maxCostUsd } = this.limits;
    const own = [
      ...(maxDurationMs === undefined ? [] : [maxDuration(maxDurationMs)]),
      ...(tokens === undefined ? [] : [maxTokens(tokens)]),
      ...(maxCostUsd === undefined ? [] : [maxCost(maxCostUsd)]),
    ];
    return own.map((condition) => ({
      ...condition,
      isMet: (progress) => condition.isMet(this.#withRun(progress)),
    }));
  }

  #withRun({ turns, calls, usage, startedAt, now, traces }: Progress): Progress {
    const whole = { usage: addUsage(this.#spent, usage), startedAt: this.#startedAt ?? startedAt };
    return { turns, calls, now, traces, ...whole };
  }
}
