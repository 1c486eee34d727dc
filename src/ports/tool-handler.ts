import type { Enforcement } from '../domain/enforcement.js';
import type { Failure } from '../domain/errors.js';
import type { Json, JsonObject } from '../domain/json.js';
import type { PlannedAction } from '../domain/plan.js';
import type { Tool } from '../domain/tool.js';
import type { Truncation } from '../domain/tool-result.js';
import type { ToolSandbox } from './tool-sandbox.js';

/**
 * A tool's code. It gets arguments that fit `tool.parameters` and are frozen. It should stop when
 * `context.signal` says so; one that does not is left behind and answered for. What it throws becomes a failed
 * result with the error's message.
 */
export interface ToolHandler {
  readonly tool: Tool;
  /** What a call would do, for whoever approves it. Must change nothing; a DeniedError refuses the call. */
  plan?(args: JsonObject, context: PlanContext): PlannedAction | Promise<PlannedAction>;
  run(args: JsonObject, context: ToolContext): ToolOutput | Promise<ToolOutput>;
}

export interface PlanContext {
  readonly sandbox: ToolSandbox;
  readonly signal: AbortSignal;
}

export interface ToolContext {
  readonly callId: string;
  readonly signal: AbortSignal;
  /** What was planned, and approved: run this, not what the arguments say by now. */
  readonly action: PlannedAction;
  /** Processes, files and hosts, within what the tool was permitted. */
  readonly sandbox: ToolSandbox;
  /** Progress for people; the model does not see it. */
  readonly log: (message: string) => void;
}

/** Text, or text with more beside it. */
export type ToolOutput = string | DetailedOutput;

export interface DetailedOutput {
  readonly text: string;
  readonly data?: Json;
  /** Set when the tool did its work and the work failed, as a command that exits with 1 does. */
  readonly failure?: Failure;
  readonly enforcement?: Enforcement;
  readonly truncated?: Truncation;
}
