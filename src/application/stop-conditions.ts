import { tokensUsed } from '../domain/message.js';
import type { StopReason } from '../domain/step-state.js';
import type { ToolOptions } from '../domain/workflow.js';
import type { Progress, TurnTrace } from './progress.js';

/** When a step must end, as a value: a limit, a budget and a loop detector are all of this one type. */
export interface StopCondition {
  readonly reason: StopReason;
  /** Whether the agent may sum up in one last turn without tools. */
  readonly lastTurn: boolean;
  /** How many turns of `progress.traces` it needs to see; none when left out. */
  readonly looksBack?: number;
  isMet(progress: Progress): boolean;
}

/** More calls than allowed were asked for; those past the limit were not run. */
export function maxCalls(limit: number): StopCondition {
  return { reason: 'max_calls', lastTurn: true, isMet: ({ calls }) => calls > limit };
}

export function maxDuration(limitMs: number): StopCondition {
  return {
    reason: 'max_duration',
    lastTurn: false,
    isMet: ({ now, startedAt }) => now - startedAt >= limitMs,
  };
}

export function maxTokens(limit: number): StopCondition {
  return {
    reason: 'max_tokens',
    lastTurn: false,
    isMet: ({ usage }) => tokensUsed(usage) >= limit,
  };
}

/** Has no effect with a provider that does not report what a turn cost. */
export function maxCost(limitUsd: number): StopCondition {
  return { reason: 'max_cost', lastTurn: false, isMet: ({ usage }) => (usage.costUsd ?? 0) >= limitUsd };
}

/** The same calls with the same results, over and over: every period up to `maxPeriod` turns counts. */
export function repeatedCycle(maxPeriod = 4, repeats = 5): StopCondition {
  return {
    reason: 'cycle',
    lastTurn: true,
    looksBack: maxPeriod * repeats,
    isMet: ({ traces }) => {
      for (let period = 1; period <= maxPeriod; period += 1) {
        if (isPeriodic(traces, period, repeats)) return true;
      }
      return false;
    },
  };
}

/** The conditions that a step's `tool_options` stand for, the cycle detector always among them. */
export function conditionsOf(options: ToolOptions): readonly StopCondition[] {
  return [
    ...(options.maxDurationMs === undefined ? [] : [maxDuration(options.maxDurationMs)]),
    ...(options.maxTokens === undefined ? [] : [maxTokens(options.maxTokens)]),
    ...(options.maxCostUsd === undefined ? [] : [maxCost(options.maxCostUsd)]),
    maxCalls(options.maxCalls),
    repeatedCycle(),
  ];
}

/** How many turns must be remembered for all of them. */
export function turnsLookedBack(conditions: readonly StopCondition[]): number {
  return Math.max(0, ...conditions.map(({ looksBack = 0 }) => looksBack));
}

/** Whether the last `period * repeats` turns are one sequence of `period` turns, repeated. */
function isPeriodic(traces: readonly TurnTrace[], period: number, repeats: number): boolean {
  const length = period * repeats;
  if (traces.length < length) return false;
  const start = traces.length - length;
  for (let index = start + period; index < traces.length; index += 1) {
    if (!isSameTrace(traces[index], traces[index - period])) return false;
  }
  return true;
}

function isSameTrace(left: TurnTrace | undefined, right: TurnTrace | undefined): boolean {
  if (!left || !right || left.keys.length !== right.keys.length) return false;
  return (
    left.keys.every((key, index) => key === right.keys[index]) &&
    left.outputs.every((output, index) => output === right.outputs[index])
  );
}
