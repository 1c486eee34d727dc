import type { Container } from 'inversify';
import { CallRunner } from '../application/call-runner.js';
import { RunRecorder } from '../application/run-recorder.js';
import { StepRunner } from '../application/step-runner.js';
import { ToolGateway } from '../application/tool-gateway.js';
import { ToolOrchestrator } from '../application/tool-orchestrator.js';
import { WorkflowRunner } from '../application/workflow-runner.js';
import type { ContainerOptions } from '../container.js';
import { FileApprovalInbox } from '../infrastructure/approval/inbox/file-approval-inbox.js';
import { WinstonAuditLog } from '../infrastructure/audit/winston-audit-log.js';
import { TerminalUserInput } from '../infrastructure/conversation/terminal-user-input.js';
import { FileRememberedDecisions } from '../infrastructure/journal/file-remembered-decisions.js';
import { JsonlRunJournal } from '../infrastructure/journal/jsonl-run-journal.js';
import { MemoryRememberedDecisions } from '../infrastructure/journal/memory-remembered-decisions.js';
import { MemoryJournal } from '../infrastructure/journal/memory-run-journal.js';
import { workspaceFolder } from '../infrastructure/journal/state-folder.js';
import { McpToolServer } from '../infrastructure/mcp/mcp-tool-server.js';
import { McpToolSource } from '../infrastructure/mcp/mcp-tool-source.js';
import { FileToolPins, MemoryToolPins, type ToolPins } from '../infrastructure/mcp/tool-pins.js';
import { JsonlAgentRecordings } from '../infrastructure/providers/record/jsonl-agent-recordings.js';
import { BubblewrapSandbox } from '../infrastructure/sandbox/bubblewrap/bubblewrap-sandbox.js';
import { GuardedFileAccess } from '../infrastructure/sandbox/guarded-file-access.js';
import { GuardedNetworkAccess } from '../infrastructure/sandbox/guarded-network-access.js';
import { SystemProcessReaper } from '../infrastructure/sandbox/process-reaper.js';
import { ProcessSandbox } from '../infrastructure/sandbox/process-sandbox.js';
import { SystemSandbox } from '../infrastructure/sandbox/system-sandbox.js';
import { SystemClock } from '../infrastructure/system/system-clock.js';
import { DeclaredToolSource } from '../infrastructure/tools/declared-tool-source.js';
import { RoutingToolExecutor } from '../infrastructure/tools/routing-executor.js';
import { commandMistake } from '../infrastructure/tools/template/command-mistake.js';
import { AjvArgumentValidator } from '../infrastructure/validation/ajv-argument-validator.js';
import { YamlWorkflowRepository } from '../infrastructure/workflow/yaml-workflow-repository.js';
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
import { TOKENS } from '../ports/tokens.js';
import type { ToolExecutor } from '../ports/tool-executor.js';
import type { ToolHandler } from '../ports/tool-handler.js';
import type { ToolServer } from '../ports/tool-server.js';
import type { ToolSource } from '../ports/tool-source.js';
import type { UserInput } from '../ports/user-input.js';
import type { WorkflowRepository } from '../ports/workflow-repository.js';
import { agentProviders } from './agent-providers.js';
import { approvalGate } from './approval-gate.js';
import { locatedServer } from './located-server.js';
import { serverPermissionsOf } from './server-permissions.js';

/** Binds every token to the default adapter; the heavy packages behind these load when one first needs them. */
export function bindDefaults(container: Container, options: ContainerOptions): void {
  bindMachine(container, options);
  bindRecords(container, options);
  bindPeopleAndAgents(container, options);
  bindTools(container);
  bindApplication(container);
  bindGateway(container);
}

/** The machine: its clock, its processes, its files, its network. */
function bindMachine(container: Container, { sandbox = 'system' }: ContainerOptions): void {
  container.bind<Clock>(TOKENS.Clock).toConstantValue(new SystemClock());
  container
    .bind<Sandbox>(TOKENS.Sandbox)
    .toResolvedValue(
      (network: NetworkAccess): Sandbox =>
        sandbox === 'process' ? new ProcessSandbox() : new SystemSandbox(new BubblewrapSandbox({ network })),
      [TOKENS.NetworkAccess],
    );
  container.bind<FileAccess>(TOKENS.FileAccess).toConstantValue(new GuardedFileAccess());
  container.bind<NetworkAccess>(TOKENS.NetworkAccess).toConstantValue(new GuardedNetworkAccess());
  container.bind<ProcessReaper>(TOKENS.ProcessReaper).toConstantValue(new SystemProcessReaper());
}

/** What is read and written: workflows, journals, the audit trail. */
function bindRecords(
  container: Container,
  { journal, workspace, auditTransports = [] }: ContainerOptions,
): void {
  const runs = journal === 'file' ? new JsonlRunJournal(workspace ? { workspace } : {}) : new MemoryJournal();
  container.bind<RunJournal>(TOKENS.RunJournal).toConstantValue(runs);
  const remembered =
    journal === 'file'
      ? new FileRememberedDecisions({ workspace: workspace ?? process.cwd() })
      : new MemoryRememberedDecisions();
  container.bind<RememberedDecisions>(TOKENS.RememberedDecisions).toConstantValue(remembered);
  container
    .bind<AuditLog>(TOKENS.AuditLog)
    .toConstantValue(new WinstonAuditLog({ transports: auditTransports }));
  container
    .bind<WorkflowRepository>(TOKENS.WorkflowRepository)
    .toConstantValue(new YamlWorkflowRepository({ checkCommand: commandMistake }));
}

function bindPeopleAndAgents(container: Container, options: ContainerOptions): void {
  container
    .bind<ApprovalInbox>(TOKENS.ApprovalInbox)
    .toResolvedValue(
      (journal: RunJournal, clock: Clock) => new FileApprovalInbox(journal, clock),
      [TOKENS.RunJournal, TOKENS.Clock],
    );
  container
    .bind<ApprovalGate>(TOKENS.ApprovalGate)
    .toResolvedValue(
      (validator: ArgumentValidator, store: RememberedDecisions, inbox: ApprovalInbox, journal: RunJournal) =>
        approvalGate(options, { validator, store, inbox, journal }),
      [TOKENS.ArgumentValidator, TOKENS.RememberedDecisions, TOKENS.ApprovalInbox, TOKENS.RunJournal],
    );
  container.bind<UserInput>(TOKENS.UserInput).toConstantValue(new TerminalUserInput());
  container.bind<AgentRecordings>(TOKENS.AgentRecordings).toConstantValue(new JsonlAgentRecordings());
  container
    .bind<AgentProviders>(TOKENS.AgentProviders)
    .toResolvedValue(agentProviders, [TOKENS.ToolServer, TOKENS.RunJournal]);
}

function bindTools(container: Container): void {
  container.bind<ArgumentValidator>(TOKENS.ArgumentValidator).toConstantValue(new AjvArgumentValidator());
  container
    .bind<ToolExecutor>(TOKENS.ToolExecutor)
    .toResolvedValue(
      (sandbox: Sandbox, files: FileAccess, network: NetworkAccess, clock: Clock) =>
        new RoutingToolExecutor({ sandbox, files, network, clock }),
      [TOKENS.Sandbox, TOKENS.FileAccess, TOKENS.NetworkAccess, TOKENS.Clock],
    );
  container.bind<ToolSource>(TOKENS.ToolSource).toResolvedValue(
    (
      handlers: ToolHandler[] | undefined,
      sandbox: Sandbox,
      network: NetworkAccess,
      journal: RunJournal,
      validator: ArgumentValidator,
    ) =>
      new McpToolSource({
        next: new DeclaredToolSource({ handlers: handlers ?? [] }),
        sandbox,
        network,
        pinsFor: toolPins(journal.home),
        located: locatedServer,
        prepare: (tool) => validator.prepare(tool, { rules: [] }),
        permissionsOf: serverPermissionsOf,
      }),
    [
      { serviceIdentifier: TOKENS.ToolHandler, isMultiple: true, optional: true },
      TOKENS.Sandbox,
      TOKENS.NetworkAccess,
      TOKENS.RunJournal,
      TOKENS.ArgumentValidator,
    ],
  );
}

/** What was approved is kept as the runs are: never where an agent could write it. */
function toolPins(home: string | undefined): (workspace: string) => Promise<ToolPins> {
  if (home === undefined) {
    const pins = new MemoryToolPins();
    return async () => pins;
  }
  return async (workspace) => {
    await workspaceFolder(home, workspace);
    return new FileToolPins(home);
  };
}

/** For callers who bring their own loop. */
function bindGateway(container: Container): void {
  container.bind<ToolServer>(TOKENS.ToolServer).toConstantValue(new McpToolServer());
  container
    .bind<ToolGateway>(TOKENS.ToolGateway)
    .toResolvedValue(
      (
        executor: ToolExecutor,
        gate: ApprovalGate,
        validator: ArgumentValidator,
        clock: Clock,
        tools: ToolSource,
        recorder: RunRecorder,
      ) => new ToolGateway({ executor, gate, validator, clock }, tools, recorder),
      [
        TOKENS.ToolExecutor,
        TOKENS.ApprovalGate,
        TOKENS.ArgumentValidator,
        TOKENS.Clock,
        TOKENS.ToolSource,
        TOKENS.RunRecorder,
      ],
    );
}

function bindApplication(container: Container): void {
  container
    .bind<ToolOrchestrator>(TOKENS.ToolOrchestrator)
    .toResolvedValue(
      (
        executor: ToolExecutor,
        gate: ApprovalGate,
        validator: ArgumentValidator,
        clock: Clock,
        journal: RunJournal,
      ) => new ToolOrchestrator(executor, gate, validator, clock, journal),
      [TOKENS.ToolExecutor, TOKENS.ApprovalGate, TOKENS.ArgumentValidator, TOKENS.Clock, TOKENS.RunJournal],
    );
  container
    .bind<RunRecorder>(TOKENS.RunRecorder)
    .toResolvedValue(
      (journal: RunJournal, audit: AuditLog, clock: Clock, reaper: ProcessReaper) =>
        new RunRecorder(journal, audit, clock, reaper),
      [TOKENS.RunJournal, TOKENS.AuditLog, TOKENS.Clock, TOKENS.ProcessReaper],
    );
  container
    .bind<CallRunner>(TOKENS.CallRunner)
    .toResolvedValue((gateway: ToolGateway) => new CallRunner(gateway), [TOKENS.ToolGateway]);
  container.bind<WorkflowRunner>(TOKENS.WorkflowRunner).toResolvedValue(
    (
      orchestrator: ToolOrchestrator,
      providers: AgentProviders,
      tools: ToolSource,
      recorder: RunRecorder,
      journal: RunJournal,
      userInput: UserInput,
      recordings: AgentRecordings,
    ) => {
      const steps = new StepRunner(orchestrator, providers, userInput);
      return new WorkflowRunner(steps, tools, recorder, journal, recordings);
    },
    [
      TOKENS.ToolOrchestrator,
      TOKENS.AgentProviders,
      TOKENS.ToolSource,
      TOKENS.RunRecorder,
      TOKENS.RunJournal,
      TOKENS.UserInput,
      TOKENS.AgentRecordings,
    ],
  );
}
