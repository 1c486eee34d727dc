import type { ApprovalPolicy } from '../../../domain/approval.js';
import type { Enforcement } from '../../../domain/enforcement.js';
import type { Permissions } from '../../../domain/restrictions.js';
import type { AgentStep, InputDeclaration, ToolDeclaration, Workflow } from '../../../domain/workflow.js';
import type { SandboxCapabilities } from '../../../ports/sandbox.js';
import type { ToolEntry } from '../../../ports/tool-executor.js';
import { processTools, sandboxWarnings, startsProcesses } from '../sandbox-warning.js';
import { serverReport } from './server-report.js';
import { enforcementFor } from './tool-enforcement.js';
import { toolPermissionsAsWritten } from './written-permissions.js';

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
  /** The MCP servers, each with what its tools could do. */
  readonly servers: readonly ToolReport[];
  readonly steps: readonly StepReport[];
}

export interface AgentReport {
  /** What keeps the agent from running here, such as a key that is not set. */
  readonly unready?: string;
  /** What it cannot be held to. */
  readonly warnings: readonly string[];
}

export interface StepReport extends AgentReport {
  readonly step: AgentStep;
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
  /** By the name of the server; only where all inputs are known. */
  readonly serverPermissions?: ReadonlyMap<string, Permissions>;
  /** By the name of the step; a step whose options wait for inputs has none. */
  readonly agents?: ReadonlyMap<string, AgentReport>;
  /** By the name of the tool. */
  readonly notes?: ReadonlyMap<string, readonly string[]>;
}

export function checkReport(facts: CheckFacts): CheckReport {
  const { workflow, workspace, capabilities, entries } = facts;
  const warnings = sandboxWarnings(workflow, capabilities);
  const { name, version, file = '', inputs, onUnavailable, steps, mcpServers = [] } = workflow;
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
    reasons: startsProcesses(workflow) ? capabilities.enforcement.reasons : [],
    ...(warnings.length === 0 ? {} : { warning: warnings.join('; ') }),
    tools: workflow.tools.map((declaration) => toolReport(declaration, facts)),
    servers: mcpServers.map((server) => {
      const permissions = facts.serverPermissions?.get(server.name);
      return serverReport(server, { workflow, capabilities, ...(permissions ? { permissions } : {}) });
    }),
    steps: steps.map((step) => ({ step, warnings: [], ...facts.agents?.get(step.name) })),
  };
}

function toolReport(declaration: ToolDeclaration, facts: CheckFacts): ToolReport {
  const { workflow, workspace, capabilities, descriptions, entries } = facts;
  const { name, approval, timeoutMs } = declaration;
  const entry = entries?.find(({ handler }) => handler.tool.name === name);
  const permissions = entry?.permissions ?? toolPermissionsAsWritten(declaration, workspace);
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
