import type { ApprovalPolicy } from '../../../domain/approval.js';
import type { Enforcement } from '../../../domain/enforcement.js';
import type { Permissions } from '../../../domain/restrictions.js';
import type { AgentStep, InputDeclaration, ToolDeclaration, Workflow } from '../../../domain/workflow.js';
import type { SandboxCapabilities } from '../../../ports/sandbox.js';
import type { ToolEntry } from '../../../ports/tool-executor.js';
import { processTools, sandboxWarning } from '../sandbox-warning.js';
import { enforcementFor } from './tool-enforcement.js';
import { permissionsAsWritten } from './written-permissions.js';

/** What a workflow's agents could do at most, here. */
export interface CheckReport {
  readonly file: string;
  readonly name: string;
  readonly version: string;
  readonly workspace: string;
  /** Whether patterns are absolute; without input values they are as written. */
  readonly resolved: boolean;
  readonly inputs: readonly InputDeclaration[];
  readonly onUnavailable: Workflow['onUnavailable'];
  readonly kernel: boolean;
  readonly backend: string;
  /** Why a layer is weaker than it could be. */
  readonly reasons: readonly string[];
  /** What a missing kernel layer means for the tools that start processes. */
  readonly warning?: string;
  readonly tools: readonly ToolReport[];
  readonly steps: readonly AgentStep[];
}

export interface ToolReport {
  readonly name: string;
  readonly source: string;
  readonly description: string;
  readonly approval: ApprovalPolicy;
  readonly permissions: Permissions;
  readonly timeoutMs?: number;
  readonly startsProcess: boolean;
  readonly enforcement: Enforcement;
  /** Where the kernel holds it more loosely than it is written. */
  readonly notes: readonly string[];
  /** Set when no call of it can run here. */
  readonly deniedHere?: true;
}

export interface CheckFacts {
  readonly workflow: Workflow;
  readonly workspace: string;
  readonly capabilities: SandboxCapabilities;
  readonly descriptions: ReadonlyMap<string, string>;
  /** Only where all inputs are known. */
  readonly entries?: readonly ToolEntry[];
  /** By the name of the tool. */
  readonly notes?: ReadonlyMap<string, readonly string[]>;
}

export function checkReport(facts: CheckFacts): CheckReport {
  const { workflow, workspace, capabilities, entries } = facts;
  const warning = sandboxWarning(workflow, processTools(workflow), capabilities);
  const { name, version, file = '', inputs, onUnavailable, steps } = workflow;
  return {
    file,
    name,
    version,
    workspace,
    resolved: entries !== undefined,
    inputs,
    onUnavailable,
    kernel: capabilities.kernel,
    backend: capabilities.enforcement.backend,
    reasons: processTools(workflow).length === 0 ? [] : capabilities.enforcement.reasons,
    ...(warning === undefined ? {} : { warning }),
    tools: workflow.tools.map((declaration) => toolReport(declaration, facts)),
    steps,
  };
}

function toolReport(declaration: ToolDeclaration, facts: CheckFacts): ToolReport {
  const { workflow, workspace, capabilities, descriptions, entries } = facts;
  const { name, approval, timeoutMs } = declaration;
  const entry = entries?.find(({ handler }) => handler.tool.name === name);
  const permissions = entry?.permissions ?? permissionsAsWritten(declaration, workspace);
  const startsProcess = processTools(workflow).includes(name);
  const isRefused = workflow.onUnavailable === 'deny' || permissions.strict;
  const isDenied = startsProcess && !capabilities.kernel && isRefused;
  return {
    name,
    source: sourceOf(declaration),
    description: descriptions.get(name) ?? '',
    approval,
    permissions,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    startsProcess,
    enforcement: enforcementFor(declaration, permissions, capabilities),
    notes: facts.notes?.get(name) ?? [],
    ...(isDenied ? { deniedHere: true } : {}),
  };
}

function sourceOf({ kind }: ToolDeclaration): string {
  if (kind.type === 'builtin') return `built-in ${kind.builtin}`;
  return kind.type === 'command' ? `command: ${kind.command}` : 'a handler of the host program';
}
