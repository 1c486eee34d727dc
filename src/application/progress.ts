import type { ConversationEnd, ConversationState } from '../domain/conversation.js';
import type { Failure } from '../domain/errors.js';
import { addUsage, NO_USAGE, tokensUsed, type Usage } from '../domain/message.js';
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
  /** Of the newest turns of this exchange, the last at the end; older ones are forgotten. */
  readonly traces: readonly TurnTrace[];
}

/** The same, with what a turn that is not over has used. */
export function withUsage(
  { turns, calls, usage, startedAt, now, traces }: Progress,
  more: Usage | undefined,
): Progress {
  return { turns, calls, startedAt, now, traces, usage: addUsage(usage, more) };
}

export interface ProgressOptions {
  /** How many turns the stop conditions look back at: a long run keeps no more. */
  readonly keptTraces: number;
  readonly isConversation?: boolean;
}

/** Gathers a step's progress and turns it into its state at the end. */
export class StepProgress implements Progress {
  turns = 0;
  calls = 0;
  usage: Usage = NO_USAGE;
  now: number;
  output = '';
  approvalUnavailable = false;
  /** Replies without calls: each ends an exchange. */
  exchanges = 0;
  summaries = 0;
  /** Why the conversation ended, where that says more than why the step did. */
  endedBy: ConversationEnd | undefined;
  readonly traces: TurnTrace[] = [];
  readonly #records: CallRecord[] = [];

  constructor(
    readonly step: string,
    readonly startedAt: number,
    private readonly options: ProgressOptions,
  ) {
    this.now = startedAt;
  }

  get tokensUsed(): number {
    return tokensUsed(this.usage);
  }

  /** How often the agent was asked, for whatever reason. */
  get asked(): number {
    return this.turns + this.summaries;
  }

  /** Somebody has said something new: what the agent did before is no part of what it does about that. */
  beginExchange(): void {
    this.traces.length = 0;
  }

  addSummary(usage: Usage | undefined, at: number): void {
    this.summaries += 1;
    this.usage = addUsage(this.usage, usage);
    this.now = Math.max(this.now, at);
  }

  addTurn(turn: {
    readonly text: string;
    readonly calls: number;
    readonly usage?: Usage | undefined;
    readonly at: number;
  }): void {
    this.turns += 1;
    this.calls += turn.calls;
    this.usage = addUsage(this.usage, turn.usage);
    this.now = turn.at;
    if (turn.text !== '') this.output = turn.text;
  }

  /** A call that was made while the agent answered. */
  addCall(at: number): void {
    this.calls += 1;
    this.now = Math.max(this.now, at);
  }

  addUsage(usage: Usage): void {
    this.usage = addUsage(this.usage, usage);
  }

  addResults(records: readonly CallRecord[], trace: TurnTrace): void {
    for (const record of records) this.#records.push(record);
    this.traces.push(trace);
    if (this.traces.length > this.options.keptTraces) this.traces.shift();
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
      ...(this.options.isConversation ? { conversation: this.#conversation(stoppedBy) } : {}),
      ...(error ? { error } : {}),
    };
  }

  #conversation(stoppedBy: StopReason): ConversationState {
    return {
      turns: this.exchanges,
      totalTokens: this.tokensUsed,
      stoppedBy: this.endedBy ?? stoppedBy,
      summaries: this.summaries,
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
