import type { Container } from 'inversify';
import type { transport as Transport } from 'winston';
import { CallRunner } from './application/call-runner.js';
import { RunRecorder } from './application/run-recorder.js';
import { StepRunner } from './application/step-runner.js';
import { ToolOrchestrator } from './application/tool-orchestrator.js';
import { WorkflowRunner } from './application/workflow-runner.js';
import type { InputValues, Workflow } from './domain/workflow.js';
import type { AgentProviders } from './ports/agent-provider.js';
import type { ApprovalGate } from './ports/approval-gate.js';
import type { ArgumentValidator } from './ports/argument-validator.js';
import type { AuditLog } from './ports/audit-log.js';
import type { Clock } from './ports/clock.js';
import type { FileAccess } from './ports/file-access.js';
import type { NetworkAccess } from './ports/network-access.js';
import type { ProcessReaper } from './ports/process-reaper.js';
import type { RunJournal } from './ports/run-journal.js';
import type { Sandbox } from './ports/sandbox.js';
import { TOKENS } from './ports/tokens.js';
import type { ToolExecutor } from './ports/tool-executor.js';
import type { ToolHandler } from './ports/tool-handler.js';
import type { ToolSource } from './ports/tool-source.js';
import type { WorkflowRepository } from './ports/workflow-repository.js';

/** What the default wiring needs to be told; every part of it can be bound anew instead. */
export interface ContainerOptions {
  /** `memory` (default): runs are gone with the process. `file`: they are kept, and can be resumed. */
  readonly journal?: 'memory' | 'file';
  /** Files runs under this folder; the current directory when left out. */
  readonly workspace?: string;
  /** Prompts that are answered yes without asking: all of them, or those of the tools listed. */
  readonly approve?: 'all' | readonly string[];
  /** Winston transports of yours that get every line of the audit trail, beside the run's own file. */
  readonly auditTransports?: readonly Transport[];
}

/** A container with everything wired. Bind a token anew to swap a part; bind TOKENS.ToolHandler to add a tool. */
export async function createContainer(options: ContainerOptions = {}): Promise<Container> {
  // Here, not at the top: it is hundreds of files, and a program that only parses or tests never needs it.
  await import('reflect-metadata');
  const { Container } = await import('inversify');
  const container = new Container({ defaultScope: 'Singleton' });
  await bindAdapters(container, options);
  bindApplication(container);
  return container;
}

/** Reads and checks a workflow file. With the names of your handlers, a step's tool that nobody has is a problem. */
export async function loadWorkflow(
  file: string,
  options: { readonly handlers?: readonly string[] } = {},
): Promise<Workflow> {
  const module = await import('./infrastructure/workflow/yaml-workflow-repository.js');
  return module.loadWorkflow(file, options);
}

/** Checks and types the values given for a workflow's inputs, defaults filled in. */
export async function resolveInputs(
  workflow: Workflow,
  given: Readonly<Record<string, string>>,
  options: { readonly workspace: string },
): Promise<InputValues> {
  const module = await import('./infrastructure/workflow/resolve-inputs.js');
  return module.resolveInputs(workflow, given, options);
}

/** Our own adapters are small; the heavy packages behind them load when an adapter first needs them. */
async function bindAdapters(container: Container, options: ContainerOptions): Promise<void> {
  await Promise.all([
    bindMachine(container),
    bindRecords(container, options),
    bindPeopleAndAgents(container, options),
    bindTools(container),
  ]);
}

/** The machine: its clock, its processes, its files, its network. */
async function bindMachine(container: Container): Promise<void> {
  const [{ SystemClock }, { SystemSandbox }, { GuardedFileAccess }, { GuardedNetworkAccess }, reaper] =
    await Promise.all([
      import('./infrastructure/system/system-clock.js'),
      import('./infrastructure/sandbox/system-sandbox.js'),
      import('./infrastructure/sandbox/guarded-file-access.js'),
      import('./infrastructure/sandbox/guarded-network-access.js'),
      import('./infrastructure/sandbox/process-reaper.js'),
    ]);
  container.bind<Clock>(TOKENS.Clock).toConstantValue(new SystemClock());
  container.bind<Sandbox>(TOKENS.Sandbox).toConstantValue(new SystemSandbox());
  container.bind<FileAccess>(TOKENS.FileAccess).toConstantValue(new GuardedFileAccess());
  container.bind<NetworkAccess>(TOKENS.NetworkAccess).toConstantValue(new GuardedNetworkAccess());
  container.bind<ProcessReaper>(TOKENS.ProcessReaper).toConstantValue(new reaper.SystemProcessReaper());
}

/** What is read and written: workflows, journals, the audit trail. */
async function bindRecords(
  container: Container,
  { journal, workspace, auditTransports = [] }: ContainerOptions,
): Promise<void> {
  const [{ JsonlRunJournal }, { MemoryJournal }, { WinstonAuditLog }, { YamlWorkflowRepository }] =
    await Promise.all([
      import('./infrastructure/journal/jsonl-run-journal.js'),
      import('./infrastructure/journal/memory-run-journal.js'),
      import('./infrastructure/audit/winston-audit-log.js'),
      import('./infrastructure/workflow/yaml-workflow-repository.js'),
    ]);
  const runs = journal === 'file' ? new JsonlRunJournal(workspace ? { workspace } : {}) : new MemoryJournal();
  container.bind<RunJournal>(TOKENS.RunJournal).toConstantValue(runs);
  container
    .bind<AuditLog>(TOKENS.AuditLog)
    .toConstantValue(new WinstonAuditLog({ transports: auditTransports }));
  container.bind<WorkflowRepository>(TOKENS.WorkflowRepository).toConstantValue(new YamlWorkflowRepository());
}

async function bindPeopleAndAgents(container: Container, { approve = [] }: ContainerOptions): Promise<void> {
  const [{ FlagApprovalGate }, { TerminalApprovalGate }, { ProviderRegistry }] = await Promise.all([
    import('./infrastructure/approval/flag-approval-gate.js'),
    import('./infrastructure/approval/terminal-approval-gate.js'),
    import('./infrastructure/providers/provider-registry.js'),
  ]);
  const flags = approve === 'all' ? { yes: true, tools: [] } : { yes: false, tools: approve };
  const gate = new FlagApprovalGate({ ...flags, next: new TerminalApprovalGate() });
  container.bind<ApprovalGate>(TOKENS.ApprovalGate).toConstantValue(gate);
  container.bind<AgentProviders>(TOKENS.AgentProviders).toConstantValue(new ProviderRegistry());
}

async function bindTools(container: Container): Promise<void> {
  const [{ RoutingToolExecutor }, { DeclaredToolSource }, { AjvArgumentValidator }] = await Promise.all([
    import('./infrastructure/tools/routing-executor.js'),
    import('./infrastructure/tools/declared-tool-source.js'),
    import('./infrastructure/validation/ajv-argument-validator.js'),
  ]);
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
