import type { ServiceIdentifier } from 'inversify';
import type { CallRunner } from '../application/call-runner.js';
import type { RunRecorder } from '../application/run-recorder.js';
import type { ToolGateway } from '../application/tool-gateway.js';
import type { ToolOrchestrator } from '../application/tool-orchestrator.js';
import type { WorkflowRunner } from '../application/workflow-runner.js';
import type { AgentProviders } from '../ports/agent-provider.js';
import type { AgentRecordings } from '../ports/agent-recordings.js';
import type { ApprovalGate } from '../ports/approval-gate.js';
import type { ApprovalInbox } from '../ports/approval-inbox.js';
import type { ArgumentValidator } from '../ports/argument-validator.js';
import type { AuditLog } from '../ports/audit-log.js';
import type { Clock } from '../ports/clock.js';
import type { FileAccess } from '../ports/file-access.js';
import type { NetworkAccess } from '../ports/network-access.js';
import type { ProcessReaper } from '../ports/process-reaper.js';
import type { RememberedDecisions } from '../ports/remembered-decisions.js';
import type { RunJournal } from '../ports/run-journal.js';
import type { Sandbox } from '../ports/sandbox.js';
import { TOKENS as SYMBOLS } from '../ports/tokens.js';
import type { ToolExecutor } from '../ports/tool-executor.js';
import type { ToolHandler } from '../ports/tool-handler.js';
import type { ToolServer } from '../ports/tool-server.js';
import type { ToolSource } from '../ports/tool-source.js';
import type { UserInput } from '../ports/user-input.js';
import type { WorkflowRepository } from '../ports/workflow-repository.js';

/** What is behind each token. Here, because the ports know neither the application nor a container. */
interface Services {
  readonly AgentProviders: AgentProviders;
  readonly AgentRecordings: AgentRecordings;
  readonly ApprovalGate: ApprovalGate;
  readonly ApprovalInbox: ApprovalInbox;
  readonly ArgumentValidator: ArgumentValidator;
  readonly AuditLog: AuditLog;
  readonly CallRunner: CallRunner;
  readonly Clock: Clock;
  readonly FileAccess: FileAccess;
  readonly NetworkAccess: NetworkAccess;
  readonly ProcessReaper: ProcessReaper;
  readonly RememberedDecisions: RememberedDecisions;
  readonly RunJournal: RunJournal;
  readonly RunRecorder: RunRecorder;
  readonly Sandbox: Sandbox;
  readonly ToolExecutor: ToolExecutor;
  readonly ToolGateway: ToolGateway;
  readonly ToolHandler: ToolHandler;
  readonly ToolOrchestrator: ToolOrchestrator;
  readonly ToolServer: ToolServer;
  readonly ToolSource: ToolSource;
  readonly UserInput: UserInput;
  readonly WorkflowRepository: WorkflowRepository;
  readonly WorkflowRunner: WorkflowRunner;
}

/** Every injection symbol; `container.get` and `container.bind` know from it what they give and take. */
export const TOKENS: { readonly [K in keyof typeof SYMBOLS]: ServiceIdentifier<Services[K]> } = SYMBOLS;
