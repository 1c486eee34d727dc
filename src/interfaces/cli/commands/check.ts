import type { Command } from 'commander';
import type { RunRequest } from '../../../application/run-request.js';
import { inStep, inspectAgents } from '../../../application/step-agents.js';
import { serverPermissionsOf } from '../../../container/server-permissions.js';
import { createContainer } from '../../../container.js';
import type { ErrorCode } from '../../../domain/errors.js';
import type { Permissions } from '../../../domain/restrictions.js';
import type { Workflow } from '../../../domain/workflow.js';
import type { AgentProviders } from '../../../ports/agent-provider.js';
import type { Sandbox } from '../../../ports/sandbox.js';
import { TOKENS } from '../../../ports/tokens.js';
import type { ToolEntry } from '../../../ports/tool-executor.js';
import type { ToolSource } from '../../../ports/tool-source.js';
import { checkToJson } from '../check/check-json.js';
import { type AgentReport, checkReport } from '../check/check-report.js';
import { checkText } from '../check/check-text.js';
import { kernelNotes } from '../check/kernel-notes.js';
import { missingPrograms } from '../check/missing-programs.js';
import type { CliIo, CommandHost } from '../cli-io.js';
import { describeTools } from '../describe-tools.js';
import { loadWorkflowFile, type OpenedWorkflow, openWorkflow } from '../open-workflow.js';
import {
  addExamples,
  addInputs,
  addOutputFormat,
  addWorkspace,
  type InputOptions,
  type OutputOptions,
  type WorkspaceOptions,
} from '../options.js';
import { prettyJson } from '../output/json-text.js';
import { redactorsOf } from '../redactors.js';
import { resolveWorkspace } from '../resolve-workspace.js';
import { processTools } from '../sandbox-warning.js';

/** A variable that another machine may have. */
const NO_VARIABLE: ErrorCode = 'WORKFLOW.TEMPLATE.MISSING_VALUE';

interface CheckOptions extends OutputOptions, InputOptions, WorkspaceOptions {}

export function defineCheck(command: Command, { io }: CommandHost): void {
  addInputs(command);
  addWorkspace(command);
  addOutputFormat(command, ['text', 'json']);
  addExamples(command, 'toolgate check workflow.yaml', 'toolgate check workflow.yaml -i project_path=.');
  command.action(async (file: string, options: CheckOptions) => checkWorkflow(file, options, io));
}

async function checkWorkflow(file: string, options: CheckOptions, io: CliIo): Promise<void> {
  const { workflow, workspace, opened } = await openAsFarAsGiven(file, options, io);
  const container = await createContainer();
  const signal = new AbortController().signal;
  const tools = await describeTools(workflow, workspace);
  const source = container.get<ToolSource>(TOKENS.ToolSource);
  const sandbox = container.get<Sandbox>(TOKENS.Sandbox);
  const entries = opened && (await openTools(source, opened, { io, signal }));
  const providers = container.get<AgentProviders>(TOKENS.AgentProviders);
  // Steps whose options wait for inputs are left out.
  const agents = await agentsOf({ workflow, inputs: opened?.inputs ?? {}, env: io.env }, providers);
  const report = checkReport({
    workflow,
    workspace,
    capabilities: await sandbox.probe({ signal }),
    descriptions: new Map(tools.map(({ name, description }) => [name, description])),
    agents,
    ...(opened ? { serverPermissions: permissionsOfServers(opened, io) } : {}),
    ...(entries ? { entries, notes: await notesOf(entries, sandbox, { workspace, workflow }) } : {}),
  });
  const { data } = redactorsOf(workflow, opened?.inputs ?? {}, io);
  const isJson = options.outputFormat === 'json';
  io.out(isJson ? prettyJson(data.json(checkToJson(report))) : data.text(checkText(report)));
}

interface AsFarAsGiven {
  readonly workflow: Workflow;
  readonly workspace: string;
  /** Absent when inputs are needed and none was given. */
  readonly opened?: OpenedWorkflow;
}

async function openAsFarAsGiven(file: string, options: CheckOptions, io: CliIo): Promise<AsFarAsGiven> {
  const workflow = await loadWorkflowFile(file, io.cwd);
  const isMissing = workflow.inputs.some((input) => input.required && input.default === undefined);
  if (options.input === undefined && isMissing) {
    const { workspace: template = '.' } = workflow;
    const flag = options.workspace ?? (template.includes('{{') ? '.' : template);
    return { workflow, workspace: await resolveWorkspace({ cwd: io.cwd, env: io.env, flag }) };
  }
  const opened = await openWorkflow(file, options, io);
  return { workflow, workspace: opened.workspace, opened };
}

async function openTools(
  source: ToolSource,
  { workflow, inputs, workspace }: OpenedWorkflow,
  { io, signal }: { readonly io: CliIo; readonly signal: AbortSignal },
): Promise<readonly ToolEntry[]> {
  const { tools: declarations, onUnavailable } = workflow;
  return source.open({ declarations, workspace, inputs, env: io.env, onUnavailable }, { signal });
}

/** What is known of each step's agent here, by the step's name. What no machine could put right is an error of the file. */
async function agentsOf(
  request: Pick<RunRequest, 'workflow' | 'inputs' | 'env'>,
  providers: AgentProviders,
): Promise<ReadonlyMap<string, AgentReport>> {
  const findings = await inspectAgents(request, providers);
  for (const { step, error } of findings) {
    if (error?.code.startsWith('WORKFLOW.') && error.code !== NO_VARIABLE) throw inStep(step, error);
  }
  return new Map(
    findings.map(({ step, error, warnings }) => [
      step,
      error ? { unready: error.message, warnings } : { warnings },
    ]),
  );
}

function permissionsOfServers(
  { workflow, inputs, workspace }: OpenedWorkflow,
  { env }: CliIo,
): ReadonlyMap<string, Permissions> {
  const { mcpServers = [] } = workflow;
  return new Map(
    mcpServers.map((server) => [server.name, serverPermissionsOf(server, { workspace, inputs, env })]),
  );
}

async function notesOf(
  entries: readonly ToolEntry[],
  sandbox: Sandbox,
  { workspace, workflow }: { readonly workspace: string; readonly workflow: Workflow },
): Promise<ReadonlyMap<string, readonly string[]>> {
  const scope = { workspace, onUnavailable: workflow.onUnavailable };
  const starting = entries.filter(({ handler }) => processTools(workflow).includes(handler.tool.name));
  const notes = starting.map(async (entry) => {
    const { name } = entry.handler.tool;
    const declaration = workflow.tools.find((tool) => tool.name === name);
    const missing = declaration
      ? await missingPrograms(sandbox, { declaration, permissions: entry.permissions }, scope)
      : [];
    return [name, [...(await kernelNotes(sandbox, entry, scope)), ...missing]] as const;
  });
  return new Map(await Promise.all(notes));
}
