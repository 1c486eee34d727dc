import type { AgentNotice } from './agent-notice.js';
import type { ApprovalDecision, ApprovalSource, ReviewReason } from './approval.js';
import type { Failure } from './errors.js';
import type { JsonObject } from './json.js';
import type { AssistantMessage, Message, Usage } from './message.js';
import type { CallPlan } from './plan.js';
import type { StopReason } from './step-state.js';
import type { RequestedCall } from './tool-call.js';
import type { ToolResult } from './tool-result.js';

/**
 * All that a step does to the world, as data: what kind, and with what. Ids are positional
 * (`step/turn/call/stage`), so a run that is computed again asks for the same ones.
 */
export interface Effect<K extends EffectKind = EffectKind> {
  readonly id: string;
  readonly kind: K;
  readonly input: EffectTypes[K]['input'];
}

export type EffectKind = keyof EffectTypes;
export type InputOf<K extends EffectKind> = EffectTypes[K]['input'];
export type OutcomeOf<K extends EffectKind> = EffectTypes[K]['outcome'];

export interface EffectTypes {
  /** Reads the clock once, so that deadlines are the same when the run is computed again. */
  begin: { input: { readonly step: string }; outcome: { readonly at: number } };
  /** Asks the agent, and prepares the calls it wrote. Changes nothing here, so it may be asked again. */
  turn: { input: TurnInput; outcome: TurnOutcome };
  /** Validates, plans and decides one call again, after a person changed its arguments. */
  prepare: { input: { readonly call: RequestedCall }; outcome: PreparedCall };
  /** Asks a person about one planned call. */
  review: { input: ReviewInput; outcome: ApprovalDecision };
  /** Waits for what a person says next. */
  listen: { input: ListenInput; outcome: ListenOutcome };
  /** Asks the agent to sum up what no longer fits into its context. */
  summary: { input: SummaryInput; outcome: SummaryOutcome };
  /** Keeps what an agent that owns its loop showed of itself. Does nothing else. */
  notice: { input: NoticeInput; outcome: NoticeInput };
  /** Runs one call. */
  call: { input: CallInput; outcome: CallOutcome };
}

export interface TurnInput {
  readonly turn: number;
  /** The whole transcript, by reference; a journal keeps its length only, since it is a fold over the records. */
  readonly messages: readonly Message[];
  readonly offerTools: boolean;
  /** How often the step has asked its agent before, for whatever reason. */
  readonly asked: number;
}

export interface ListenInput {
  /** The turn whose reply the person answers. */
  readonly turn: number;
}

export interface ListenOutcome {
  /** Absent when nothing more will be said: the input has ended. */
  readonly text?: string;
  readonly failure?: Failure;
  readonly at: number;
}

export interface SummaryInput {
  readonly turn: number;
  readonly asked: number;
  /** What is to be summed up, by reference; a journal keeps its length only. */
  readonly messages: readonly Message[];
  /** How long the summary may be. */
  readonly maxTokens: number;
}

export interface SummaryOutcome {
  /** Absent when the provider failed. */
  readonly text?: string;
  readonly failure?: Failure;
  readonly usage?: Usage;
  readonly at: number;
}

export interface NoticeInput {
  /** The turn it was noticed in. */
  readonly turn: number;
  readonly notice: AgentNotice;
}

export interface TurnOutcome {
  /** Absent when the provider failed. */
  readonly message?: AssistantMessage;
  readonly failure?: Failure;
  readonly usage?: Usage;
  /** The tokens that the history has by now, where `usage` counts more than that; 0 where nobody knows. */
  readonly contextTokens?: number;
  /** What ended an agent that owns its loop before it was done. */
  readonly endedBy?: StopReason;
  readonly calls: readonly PreparedCall[];
  /** When the reply was there: what time limits are measured with. */
  readonly at: number;
}

/** A call after validation, planning and decision. */
export type PreparedCall =
  | {
      readonly verdict: 'run' | 'review';
      readonly call: { readonly id: string; readonly tool: string; readonly arguments: JsonObject };
      readonly planHash: string;
      readonly approval: ApprovalSource;
      /** Shown to whoever approves; absent for calls that run by themselves. */
      readonly plan?: CallPlan;
      readonly reason?: ReviewReason;
    }
  | {
      readonly verdict: 'refuse';
      readonly call: { readonly id: string; readonly tool: string; readonly arguments: JsonObject };
      readonly failure: Failure;
    };

export interface ReviewInput {
  readonly callId: string;
  readonly plan: CallPlan;
  readonly planHash: string;
  readonly reason: ReviewReason;
  /** When the time to answer is over, in milliseconds since 1970: the same after a restart. */
  readonly deadline?: number;
}

export interface CallInput {
  readonly callId: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly planHash: string;
  readonly approval: ApprovalSource;
}

export interface CallOutcome {
  readonly result: ToolResult;
  readonly at: number;
}
