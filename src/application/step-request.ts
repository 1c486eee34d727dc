import type { JsonObject } from '../domain/json.js';
import type { Message } from '../domain/message.js';
import type { TextFormat, ToolOptions } from '../domain/workflow.js';
import type { AgentProvider } from '../ports/agent-provider.js';
import type { ToolEntry } from '../ports/tool-executor.js';
import type { ProtocolChoice } from './speak-protocol.js';
import type { StopCondition } from './stop-conditions.js';

/** One step for the loop: who is asked what, with which tools, within which limits. */
export interface StepRequest {
  /** The step's name: the first part of every effect's id. */
  readonly step: string;
  readonly agent: AgentProvider;
  /** What the agent is first told: its system prompt, if any, and the user's. */
  readonly messages: readonly Message[];
  readonly tools: readonly ToolEntry[];
  /** How the agent is told of its tools; `auto`, as it is able to, when left out. */
  readonly protocol?: ProtocolChoice;
  /** The provider's own options, such as the model. */
  readonly options?: JsonObject;
  readonly limits?: Partial<ToolOptions>;
  /** Text formats of the workflow's own, read beside the known ones in the replies of an agent that only writes text. */
  readonly formats?: readonly TextFormat[];
  /** Conditions of your own, beside those the limits stand for. */
  readonly stopWhen?: readonly StopCondition[];
  /** Plans that were approved for the whole run, by hash; shared by its steps. */
  readonly approvedPlans?: Set<string>;
}
