import type { AgentNotice } from '../domain/agent-notice.js';
import type { ApprovalDecision, ReviewReason } from '../domain/approval.js';
import type { JsonObject } from '../domain/json.js';
import type { Usage } from '../domain/message.js';
import type { CallPlan } from '../domain/plan.js';
import type { StepState } from '../domain/step-state.js';
import type { ToolResult } from '../domain/tool-result.js';

/** What happens in a step, as it happens. An event is sent after its record is written. */
export type OrchestratorEvent = { readonly step: string; readonly replayed?: true } & (
  | { readonly type: 'step-start' }
  | { readonly type: 'turn-start'; readonly turn: number; readonly offerTools: boolean }
  /** Only while a reply arrives; never replayed. */
  | { readonly type: 'text-delta'; readonly turn: number; readonly text: string }
  | {
      readonly type: 'turn-end';
      readonly turn: number;
      readonly text: string;
      readonly calls: number;
      readonly usage?: Usage;
    }
  /** A person is asked for the next message; `input-answer` without a text says that there is none. */
  | { readonly type: 'input-ask'; readonly turn: number; readonly reply: string }
  | { readonly type: 'input-answer'; readonly turn: number; readonly text?: string }
  /** Messages that the agent no longer sees. */
  | {
      readonly type: 'context-cut';
      readonly turn: number;
      readonly dropped: number;
      readonly summarized: boolean;
    }
  /** What an agent that owns its loop showed of itself, or what should be known of any agent. */
  | { readonly type: 'agent-notice'; readonly turn: number; readonly notice: AgentNotice }
  | {
      readonly type: 'approval-ask';
      readonly callId: string;
      readonly plan: CallPlan;
      readonly planHash: string;
      readonly reason: ReviewReason;
    }
  | { readonly type: 'approval-answer'; readonly callId: string; readonly decision: ApprovalDecision }
  | {
      readonly type: 'call-start';
      readonly callId: string;
      readonly tool: string;
      readonly arguments: JsonObject;
    }
  /** Progress that a tool reports; never replayed. */
  | { readonly type: 'call-log'; readonly callId: string; readonly message: string }
  /** Every call has exactly one; a call that was refused has no `call-start` before it. */
  | {
      readonly type: 'call-end';
      readonly callId: string;
      readonly tool: string;
      readonly result: ToolResult;
    }
  | { readonly type: 'step-end'; readonly state: StepState }
);

/** Takes events; must not throw and must not wait. */
export type Emit = (event: OrchestratorEvent) => void;

/** The event, marked when what it tells was read from the record and did not happen now. */
export function marked(event: OrchestratorEvent, replayed: boolean): OrchestratorEvent {
  return replayed ? { ...event, replayed: true } : event;
}
