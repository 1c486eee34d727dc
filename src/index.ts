export { type CallRequest, CallRunner } from './application/call-runner.js';
export type { Emit, OrchestratorEvent } from './application/events.js';
export { foldRun, type RunFacts } from './application/fold-run.js';
export { GatedCalls, type GatedCallsRequest } from './application/gated-calls.js';
export type { AnsweredCall, OutsideCall, OutsideCaller } from './application/outside-call.js';
export type { ResumeRequest, RunEvent, RunOutcome, RunRequest, RunStart } from './application/run-request.js';
export { SharedBudget } from './application/shared-budget.js';
export { resultToJson, stateToJson } from './application/state-json.js';
export { type LoopRequest, runStepLoop } from './application/step-loop.js';
export type { StepRequest } from './application/step-request.js';
export {
  maxCalls,
  maxCost,
  maxDuration,
  maxTokens,
  repeatedCycle,
  type StopCondition,
} from './application/stop-conditions.js';
export {
  type GatedRun,
  type GatedRunRequest,
  type GatewayRequest,
  type OpenedGateway,
  ToolGateway,
} from './application/tool-gateway.js';
export { type OrchestrateOptions, ToolOrchestrator } from './application/tool-orchestrator.js';
export { WorkflowRunner } from './application/workflow-runner.js';
export { TOKENS } from './container/service-tokens.js';
export {
  type ContainerOptions,
  createContainer,
  loadWorkflow,
  openApprovalPage,
  resolveInputs,
} from './container.js';
export {
  type ApprovalDecision,
  type ApprovalMode,
  type ApprovalPolicy,
  type ApprovalRequest,
  type ApprovalRule,
  type ApprovalScope,
  type ApprovalSource,
  type ApprovedTool,
  ASK_ALWAYS,
  type ReviewReason,
  type RuleCondition,
  type RuleExample,
} from './domain/approval.js';
export type {
  ContextStrategy,
  Conversation,
  ConversationEnd,
  ConversationState,
} from './domain/conversation.js';
export type { Effect, EffectKind, EffectTypes, PreparedCall } from './domain/effect.js';
export { type Enforcement, type Layer, NOTHING_ENFORCED } from './domain/enforcement.js';
export {
  DeniedError,
  type ErrorCode,
  type Failure,
  InvalidToolError,
  ToolgateError,
} from './domain/errors.js';
export type { JournalEntry, JournalRecord, RunStatus } from './domain/journal.js';
export type { Json, JsonObject, JsonSchema } from './domain/json.js';
export type { AssistantMessage, InjectedResult, Message, ToolMessage, Usage } from './domain/message.js';
export type { CallPlan, PlannedAction, PlannedCommand } from './domain/plan.js';
export { ReplyError } from './domain/reply-error.js';
export { NO_PERMISSIONS, type Permissions, type Restrictions } from './domain/restrictions.js';
export type { CallRecord, StepState, StopReason, ToolStats } from './domain/step-state.js';
export { createTool, type SideEffects, type Tool } from './domain/tool.js';
export type { RequestedCall, ToolCall } from './domain/tool-call.js';
export type { ToolResult, Truncation } from './domain/tool-result.js';
export type {
  AgentStep,
  Budget,
  InputValues,
  McpServerDeclaration,
  TextFormat,
  ToolDeclaration,
  ToolOptions,
  Workflow,
} from './domain/workflow.js';
export type {
  ApprovalPage,
  ApprovalPageOptions,
  LoopbackHost,
} from './infrastructure/approval/page/approval-page.js';
export type {
  AgentContext,
  AgentProvider,
  AgentProviders,
  AgentReply,
  AgentRequest,
} from './ports/agent-provider.js';
export type { AgentRecordings, RecordedRunContext, Recording, Tape } from './ports/agent-recordings.js';
export type { ApprovalGate, ReviewContext } from './ports/approval-gate.js';
export type { ApprovalInbox, QuestionName } from './ports/approval-inbox.js';
export type { ArgumentValidator, ValidatedArguments } from './ports/argument-validator.js';
export type { AuditedRun, AuditLog, AuditSession } from './ports/audit-log.js';
export type { Clock } from './ports/clock.js';
export type { BatchOptions, DurableRun, Performed } from './ports/durable-run.js';
export type { AllowedPath, FileAccess, FileScope, FileSlice } from './ports/file-access.js';
export type { AllowedTarget, NetworkAccess } from './ports/network-access.js';
export type { ProcessReaper } from './ports/process-reaper.js';
export type {
  NewDecision,
  RememberedDecision,
  RememberedDecisions,
  RememberedRead,
} from './ports/remembered-decisions.js';
export type {
  Durability,
  JournalSession,
  OpenOptions,
  RunJournal,
  RunPlace,
  Secret,
} from './ports/run-journal.js';
export type {
  ProcessCommand,
  ProcessContext,
  ProcessOutcome,
  ProcessPlan,
  Sandbox,
  SandboxCapabilities,
  SandboxPolicy,
  StartedProcess,
} from './ports/sandbox.js';
export type { Service, ServiceContext, ServiceEnd } from './ports/service.js';
export type {
  ExecutionContext,
  HeldBack,
  PlannedCall,
  ToolEntry,
  ToolExecutor,
} from './ports/tool-executor.js';
export type {
  DetailedOutput,
  PlanContext,
  ToolContext,
  ToolHandler,
  ToolOutput,
} from './ports/tool-handler.js';
export type { ToolSandbox } from './ports/tool-sandbox.js';
export type { ToolSource, ToolSourceRequest } from './ports/tool-source.js';
export type { InputRequest, UserInput } from './ports/user-input.js';
export type { WorkflowRepository } from './ports/workflow-repository.js';
