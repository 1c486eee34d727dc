import type { Failure } from '../domain/errors.js';
import { addUsage, NO_USAGE, type Usage } from '../domain/message.js';
import type { CallRecord, StepState, StopReason, ToolStats } from '../domain/step-state.js';
import { isDenied } from '../domain/tool-result.js';

/** What one turn did: a key for each call and the result it got. Equal keys mean the same call again. */
export interface TurnTrace {
  readonly keys: readonly string[];
  readonly outputs: readonly string[];
}

/** How far a step has come: what stop conditions look at. */
export interface Progress {
  readonly turns: number;
  /** Every call the agent wrote, also those that were refused. */
  readonly calls: number;
  readonly usage: Usage;
  readonly startedAt: number;
  /** The time of the newest outcome, never the clock: a replayed run must see what the first one saw. */
  readonly now: number;
  /** Of the newest turns, the last at the end; older ones are forgotten. */
  readonly traces: readonly TurnTrace[];
}

/** Gathers a step's progress and turns it into its state at the end. */
export class StepProgress implements Progress {
  turns = 0;
  calls = 0;
  usage: Usage = NO_USAGE;
  now: number;
  output = '';
  approvalUnavailable = false;
  readonly traces: TurnTrace[] = [];
  readonly #records: CallRecord[] = [];

  constructor(
    readonly step: string,
    readonly startedAt: number,
    /** How many turns the stop conditions look back at: a long run keeps no more. */
    private readonly keptTraces: number,
  ) {
    this.now = startedAt;
  }

  addTurn(turn: {
    readonly text: string;
    readonly calls: number;
    readonly usage?: Usage;
    readonly at: number;
  }): void {
    this.turns += 1;
    this.calls += turn.calls;
    this.usage = addUsage(this.usage, turn.usage);
    this.now = turn.at;
    if (turn.text !== '') this.output = turn.text;
  }

  addResults(records: readonly CallRecord[], trace: TurnTrace): void {
    for (const record of records) this.#records.push(record);
    this.traces.push(trace);
    if (this.traces.length > this.keptTraces) this.traces.shift();
  }

  finish(stoppedBy: StopReason, error?: Failure): StepState {
    const reason = stoppedBy === 'completed' && this.approvalUnavailable ? 'approval_unavailable' : stoppedBy;
    return {
      name: this.step,
      output: this.output,
      toolCalls: this.#records,
      toolStats: statsOf(this.#records),
      stoppedBy: reason,
      turns: this.turns,
      usage: this.usage,
      ...(error ? { error } : {}),
    };
  }
}

function statsOf(records: readonly CallRecord[]): ToolStats {
  let successful = 0;
  let denied = 0;
  let totalDurationMs = 0;
  for (const { result } of records) {
    if (result.success) successful += 1;
    else if (isDenied(result)) denied += 1;
    totalDurationMs += result.durationMs;
  }
  return {
    totalCalls: records.length,
    successful,
    failed: records.length - successful,
    denied,
    totalDurationMs,
  };
}
