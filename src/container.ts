import type { Container } from 'inversify';
import type { transport as Transport } from 'winston';
import type { ApprovedTool } from './domain/approval.js';
import type { JournalRecord } from './domain/journal.js';
import type { InputValues, Workflow } from './domain/workflow.js';
import type { ApprovalPage, ApprovalPageOptions } from './infrastructure/approval/page/approval-page.js';
import type { ApprovalGate } from './ports/approval-gate.js';
import type { TrailProjection } from './ports/audit-log.js';

/** What the default wiring needs to be told; every part of it can be bound anew instead. */
export interface ContainerOptions {
  /** `memory` (default): runs are gone with the process. `file`: they are kept, and can be resumed. */
  readonly journal?: 'memory' | 'file';
  /** Files runs under this folder; the current directory when left out. */
  readonly workspace?: string;
  /** Prompts that are answered yes without asking: all of them, or those of the tools listed, as far as their rules go. */
  readonly approve?: 'all' | readonly (string | ApprovedTool)[];
  /** Where prompts are asked: on the process's own streams, or on the terminal behind them, if a protocol is on those. */
  readonly terminal?: 'own' | 'controlling';
  /**
   * Where prompts are answered. `terminal` (default): there, or not at all. `later`: the run is suspended until answers
   * are left for it. `terminal-or-later`: suspended if there is no terminal. A page: there, and on a terminal as well.
   */
  readonly approvals?: 'terminal' | 'later' | 'terminal-or-later' | Pick<ApprovalPage, 'gate'>;
  /** `system` (default): the kernel confines processes where it can. `process`: checks of this process only. */
  readonly sandbox?: 'system' | 'process';
  /** Winston transports of yours that get every line of the audit trail, beside the run's own file. */
  readonly auditTransports?: readonly Transport[];
}

/** A container with everything wired. Bind a token anew to swap a part; bind TOKENS.ToolHandler to add a tool. */
export async function createContainer(options: ContainerOptions = {}): Promise<Container> {
  const { checkContainerOptions } = await import('./container/check-options.js');
  checkContainerOptions(options);
  // Here, not at the top: it is hundreds of files, and a program that only parses or tests never needs it.
  await import('reflect-metadata');
  const { Container } = await import('inversify');
  const { bindDefaults } = await import('./container/bindings.js');
  const container = new Container({ defaultScope: 'Singleton' });
  bindDefaults(container, options);
  return container;
}

/** Opens a page on this machine on which people answer what runs ask; give it to `createContainer`, and close it. */
export async function openApprovalPage(options: ApprovalPageOptions = {}): Promise<ApprovalPage> {
  const module = await import('./infrastructure/approval/page/approval-page.js');
  return module.openApprovalPage(options);
}

/** The gate that asks on the terminal of this process, and nobody else. */
export async function openTerminalGate(): Promise<ApprovalGate> {
  const module = await import('./infrastructure/approval/terminal-approval-gate.js');
  return new module.TerminalApprovalGate();
}

/** What the audit trail of a run must say, worked out again from its journal. */
export async function projectTrail(
  runId: string,
  records: readonly JournalRecord[],
): Promise<TrailProjection> {
  const module = await import('./infrastructure/audit/journal-trail-projection.js');
  return new module.JournalTrailProjection(runId, records);
}

/** Reads and checks a workflow file. With the names of your handlers, a step's tool that nobody has is a problem. */
export async function loadWorkflow(
  file: string,
  options: { readonly handlers?: readonly string[] } = {},
): Promise<Workflow> {
  const [{ YamlWorkflowRepository }, { commandMistake: checkCommand }] = await Promise.all([
    import('./infrastructure/workflow/yaml-workflow-repository.js'),
    import('./infrastructure/tools/template/command-mistake.js'),
  ]);
  return new YamlWorkflowRepository({ ...options, checkCommand }).load(file);
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
