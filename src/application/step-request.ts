import type { Conversation } from '../domain/conversation.js';
import type { JsonObject } from '../domain/json.js';
import type { Message } from '../domain/message.js';
import type { TextFormat, ToolOptions } from '../domain/workflow.js';
import type { AgentProvider } from '../ports/agent-provider.js';
import type { ToolEntry } from '../ports/tool-executor.js';
import type { UserInput } from '../ports/user-input.js';
import type { SharedBudget } from './shared-budget.js';
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
  /** How the step goes on after a reply without calls; it ends there when this is left out. */
  readonly conversation?: Conversation;
  /** Who says what comes next in an interactive conversation. */
  readonly userInput?: UserInput;
  /** What this step shares with the others of its run. */
  readonly budget?: SharedBudget;
  /** Given the history as the agent last saw it, once the step is over: for a step that goes on from it. */
  readonly onHistory?: (messages: readonly Message[]) => void;
  /** Plans that were approved for the whole run, by hash; shared by its steps. */
  readonly approvedPlans?: Set<string>;
}
