import type { ApprovalPolicy } from '../domain/approval.js';
import type { Json } from '../domain/json.js';
import type { CallPlan } from '../domain/plan.js';
import type { Permissions } from '../domain/restrictions.js';
import type { ToolCall } from '../domain/tool-call.js';
import type { ToolResult } from '../domain/tool-result.js';
import type { OnUnavailable } from '../domain/workflow.js';
import type { StartedProcess } from './sandbox.js';
import type { ToolHandler } from './tool-handler.js';

/** A tool as one run offers it: its code, and what this run lets it do. */
export interface ToolEntry {
  readonly handler: ToolHandler;
  readonly approval: ApprovalPolicy;
  readonly permissions: Permissions;
  readonly workspace: string;
  readonly onUnavailable: OnUnavailable;
  /** There if it is refused whatever policy says: a server changed it since it was approved, or describes it badly. */
  readonly heldBack?: HeldBack;
  /** Beats the step's `timeout_per_call`. */
  readonly timeoutMs?: number;
}

/** Why a tool is held back, and what its server says of it: the latter is for people, never for a model. */
export interface HeldBack {
  readonly why: string;
  /** Whether a person can approve it as it is now; one that cannot be used as it is cannot be approved either. */
  readonly canBeAccepted: boolean;
  /** Absent where only the change is known, not yet what it came to. */
  readonly now?: Json;
  /** What was approved of it; absent if it is new. */
  readonly approved?: Json;
}

/** A frozen plan and the hash that names it. */
export interface PlannedCall {
  readonly plan: CallPlan;
  readonly planHash: string;
}

/**
 * Routes a call to its handler. `plan` changes nothing; it throws a DeniedError for what policy forbids.
 * `execute` never throws: what goes wrong, hangs or ignores its signal ends in a failed result.
 */
export interface ToolExecutor {
  /** No promise where nothing has to be looked up. */
  plan(
    entry: ToolEntry,
    call: ToolCall,
    context: { readonly signal: AbortSignal },
  ): PlannedCall | Promise<PlannedCall>;
  execute(entry: ToolEntry, planned: PlannedCall, context: ExecutionContext): Promise<ToolResult>;
}

export interface ExecutionContext {
  readonly callId: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly log: (message: string) => void;
  readonly onProcess: (process: StartedProcess) => void;
  /** Where output over the limit is kept whole; absent where a run has no folder. */
  readonly outputFile?: string;
}
