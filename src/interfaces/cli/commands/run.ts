import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { WorkflowRunner } from '../../../application/workflow-runner.js';
import { createContainer } from '../../../container.js';
import { ToolgateError } from '../../../domain/errors.js';
import type { Workflow } from '../../../domain/workflow.js';
import type { AgentProviders } from '../../../ports/agent-provider.js';
import type { Recording } from '../../../ports/agent-recordings.js';
import { TOKENS } from '../../../ports/tokens.js';
import { type ApprovalsOptions, addApprovals } from '../approvals/approvals-option.js';
import { refuseLater } from '../approvals/refuse-later.js';
import { withApprovals } from '../approvals/with-approvals.js';
import { approvedTools } from '../approved-tools.js';
import type { CliIo, CommandHost } from '../cli-io.js';
import { driveRun, pauseForQuestions, tellWaiting } from '../drive-run.js';
import { openWorkflow } from '../open-workflow.js';
import {
  type ApprovalOptions,
  addApproval,
  addDurability,
  addExamples,
  addInputs,
  addOutputFormat,
  addWorkspace,
  type DurabilityOptions,
  type InputOptions,
  type OutputOptions,
  type WorkspaceOptions,
} from '../options.js';
import { createRunReporter } from '../output/run-reporter.js';
import { redactorsOf } from '../redactors.js';
import { warningsFor } from '../sandbox-warning.js';

interface RunOptions
  extends OutputOptions,
    ApprovalsOptions,
    InputOptions,
    WorkspaceOptions,
    ApprovalOptions,
    DurabilityOptions {
  readonly provider?: string;
  readonly script?: string;
  readonly record?: string;
  readonly replay?: string;
}

export function defineRun(command: Command, { io, exit }: CommandHost): void {
  addInputs(command);
  addWorkspace(command);
  command
    .option('--provider <name>', "who answers, instead of each step's own provider")
    .option('--script <file>', 'the replies of the scripted provider')
    .option('--record <file>', 'keep what agents are asked and answer, without secrets')
    .option('--replay <file>', 'answer from such a recording, with no provider and no network');
  addApproval(command);
  addApprovals(command);
  addDurability(command);
  addOutputFormat(command, ['text', 'json', 'stream-json']);
  addExamples(
    command,
    'toolgate run workflow.yaml -i project_path=.',
    'toolgate run workflow.yaml --replay recordings/review.jsonl --yes',
    'toolgate run workflow.yaml --provider scripted --script replies.yaml --yes --output-format json',
  );
  command.action(async (file: string, options: RunOptions) => exit(await runWorkflow(file, options, io)));
}

async function runWorkflow(file: string, options: RunOptions, io: CliIo): Promise<number> {
  const opened = await openWorkflow(file, options, io);
  const { workflow, inputs, workspace } = opened;
  const approve = approvedTools(options, workflow);
  assertScriptIsUsed(options, workflow);
  const recording = recordingOf(options, io);
  return withApprovals(options.approvals ?? 'terminal', io, async (approvals) => {
    const container = await createContainer({ journal: 'file', workspace, approve, approvals });
    const reporter = createRunReporter(options.outputFormat, io, redactorsOf(workflow, inputs, io));
    pauseForQuestions(container, () => reporter.pause());
    const signal = io.interruption();
    const { provider, script, durability } = options;
    const request = {
      ...opened,
      env: io.env,
      durability,
      ...(recording ? { recording } : {}),
      ...(provider ? { provider } : {}),
      ...(script ? { providerOptions: { script: resolve(io.cwd, script) } } : {}),
    };
    if (approvals === 'later' && recording?.mode !== 'replay')
      await refuseLater(request, container.get<AgentProviders>(TOKENS.AgentProviders));
    const run = container.get<WorkflowRunner>(TOKENS.WorkflowRunner).run(request, { signal });
    const warnings = await warningsFor(workflow, container, signal);
    return driveRun(run, reporter, { warnings, onSuspended: tellWaiting(container, io) });
  });
}

/** A run is recorded or played, not both; and what is played needs no other answers. */
function recordingOf({ record, replay, script }: RunOptions, { cwd }: CliIo): Recording | undefined {
  if (replay === undefined)
    return record === undefined ? undefined : { mode: 'record', file: resolve(cwd, record) };
  const other = record === undefined ? script && '--script' : '--record';
  if (other) throw new ToolgateError('USER.ARGUMENT.INVALID', `--replay and ${other} do not go together`);
  return { mode: 'replay', file: resolve(cwd, replay) };
}

/** A script that no step would read was meant for one: better to say so than to ask a real model. */
function assertScriptIsUsed({ script, provider }: RunOptions, { steps }: Workflow): void {
  if (script === undefined) return;
  const providers = provider === undefined ? steps.map((step) => step.provider) : [provider];
  if (providers.some((name) => name === 'scripted' || name.includes('{{'))) return;
  throw new ToolgateError(
    'USER.ARGUMENT.INVALID',
    `--script is for the scripted provider, and no step uses it: add --provider scripted`,
  );
}
