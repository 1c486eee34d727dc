import type { Container } from 'inversify';
import { CallRunner } from '../application/call-runner.js';
import { RunRecorder } from '../application/run-recorder.js';
import { StepRunner } from '../application/step-runner.js';
import { ToolOrchestrator } from '../application/tool-orchestrator.js';
import { WorkflowRunner } from '../application/workflow-runner.js';
import type { ContainerOptions } from '../container.js';
import { FirstAnswerGate } from '../infrastructure/approval/first-answer-gate.js';
import { FlagApprovalGate } from '../infrastructure/approval/flag-approval-gate.js';
import { FileApprovalInbox } from '../infrastructure/approval/inbox/file-approval-inbox.js';
import { InboxApprovalGate } from '../infrastructure/approval/inbox/inbox-approval-gate.js';
import { PendingApprovalGate } from '../infrastructure/approval/pending-approval-gate.js';
import { TerminalApprovalGate } from '../infrastructure/approval/terminal-approval-gate.js';
import { WinstonAuditLog } from '../infrastructure/audit/winston-audit-log.js';
import { JsonlRunJournal } from '../infrastructure/journal/jsonl-run-journal.js';
import { MemoryJournal } from '../infrastructure/journal/memory-run-journal.js';
import { ProviderRegistry } from '../infrastructure/providers/provider-registry.js';
import { BubblewrapSandbox } from '../infrastructure/sandbox/bubblewrap/bubblewrap-sandbox.js';
import { GuardedFileAccess } from '../infrastructure/sandbox/guarded-file-access.js';
import { GuardedNetworkAccess } from '../infrastructure/sandbox/guarded-network-access.js';
import { SystemProcessReaper } from '../infrastructure/sandbox/process-reaper.js';
import { ProcessSandbox } from '../infrastructure/sandbox/process-sandbox.js';
import { SystemSandbox } from '../infrastructure/sandbox/system-sandbox.js';
import { SystemClock } from '../infrastructure/system/system-clock.js';
import { DeclaredToolSource } from '../infrastructure/tools/declared-tool-source.js';
import { RoutingToolExecutor } from '../infrastructure/tools/routing-executor.js';
import { AjvArgumentValidator } from '../infrastructure/validation/ajv-argument-validator.js';
import { YamlWorkflowRepository } from '../infrastructure/workflow/yaml-workflow-repository.js';
import type { AgentProviders } from '../ports/agent-provider.js';
import type { ApprovalGate } from '../ports/approval-gate.js';
import type { ApprovalInbox } from '../ports/approval-inbox.js';
import type { ArgumentValidator } from '../ports/argument-validator.js';
import type { AuditLog } from '../ports/audit-log.js';
import type { Clock } from '../ports/clock.js';
import type { FileAccess } from '../ports/file-access.js';
import type { NetworkAccess } from '../ports/network-access.js';
import type { ProcessReaper } from '../ports/process-reaper.js';
import type { RunJournal } from '../ports/run-journal.js';
import type { Sandbox } from '../ports/sandbox.js';
import { TOKENS } from '../ports/tokens.js';
import type { ToolExecutor } from '../ports/tool-executor.js';
import type { ToolHandler } from '../ports/tool-handler.js';
import type { ToolSource } from '../ports/tool-source.js';
import type { WorkflowRepository } from '../ports/workflow-repository.js';

/** Binds every token to the default adapter; the heavy packages behind these load when one first needs them. */
export function bindDefaults(container: Container, options: ContainerOptions): void {
  bindMachine(container, options);
  bindRecords(container, options);
  bindPeopleAndAgents(container, options);
  bindTools(container);
  bindApplication(container);
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
  container
    .bind<AuditLog>(TOKENS.AuditLog)
    .toConstantValue(new WinstonAuditLog({ transports: auditTransports }));
  container.bind<WorkflowRepository>(TOKENS.WorkflowRepository).toConstantValue(new YamlWorkflowRepository());
}

function bindPeopleAndAgents(container: Container, { approve = [], approvals }: ContainerOptions): void {
  const flags = approve === 'all' ? { yes: true, tools: [] } : { yes: false, tools: approve };
  container
    .bind<ApprovalInbox>(TOKENS.ApprovalInbox)
    .toResolvedValue(
      (journal: RunJournal, clock: Clock) => new FileApprovalInbox(journal, clock),
      [TOKENS.RunJournal, TOKENS.Clock],
    );
  container
    .bind<ApprovalGate>(TOKENS.ApprovalGate)
    .toResolvedValue(
      (inbox: ApprovalInbox) =>
        new FlagApprovalGate({ ...flags, next: new InboxApprovalGate(inbox, peopleAt(approvals)) }),
      [TOKENS.ApprovalInbox],
    );
  container.bind<AgentProviders>(TOKENS.AgentProviders).toConstantValue(new ProviderRegistry());
}

/** Who is asked when neither a flag nor an answer that was left says anything. */
function peopleAt(approvals: ContainerOptions['approvals'] = 'terminal'): ApprovalGate {
  const terminal = new TerminalApprovalGate();
  if (approvals === 'terminal') return terminal;
  if (approvals === 'later') return new PendingApprovalGate();
  if (approvals === 'terminal-or-later') return new PendingApprovalGate(terminal);
  return new FirstAnswerGate([approvals.gate, terminal]);
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
  container
    .bind<ToolSource>(TOKENS.ToolSource)
    .toResolvedValue(
      (handlers: ToolHandler[] | undefined) => new DeclaredToolSource({ handlers: handlers ?? [] }),
      [{ serviceIdentifier: TOKENS.ToolHandler, isMultiple: true, optional: true }],
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
    .toResolvedValue(
      (orchestrator: ToolOrchestrator, tools: ToolSource, recorder: RunRecorder) =>
        new CallRunner(orchestrator, tools, recorder),
      [TOKENS.ToolOrchestrator, TOKENS.ToolSource, TOKENS.RunRecorder],
    );
  container
    .bind<WorkflowRunner>(TOKENS.WorkflowRunner)
    .toResolvedValue(
      (
        orchestrator: ToolOrchestrator,
        providers: AgentProviders,
        tools: ToolSource,
        recorder: RunRecorder,
        journal: RunJournal,
      ) => new WorkflowRunner(new StepRunner(orchestrator, providers), tools, recorder, journal),
      [
        TOKENS.ToolOrchestrator,
        TOKENS.AgentProviders,
        TOKENS.ToolSource,
        TOKENS.RunRecorder,
        TOKENS.RunJournal,
      ],
    );
}
