import type { Command } from 'commander';
import type { WorkflowRunner } from '../../../application/workflow-runner.js';
import { createContainer } from '../../../container.js';
import type { RunJournal } from '../../../ports/run-journal.js';
import { TOKENS } from '../../../ports/tokens.js';
import { type ApprovalsOptions, addApprovals } from '../approvals/approvals-option.js';
import { withApprovals } from '../approvals/with-approvals.js';
import { approvedTools } from '../approved-tools.js';
import type { CliIo, CommandHost } from '../cli-io.js';
import { driveRun, pauseForQuestions, tellWaiting } from '../drive-run.js';
import { findRun } from '../find-run.js';
import {
  type ApprovalOptions,
  addApproval,
  addDurability,
  addExamples,
  addInputs,
  addLatestOf,
  addOutputFormat,
  type DurabilityOptions,
  type InputOptions,
  type OutputOptions,
  type WorkspaceOptions,
} from '../options.js';
import { createRunReporter } from '../output/run-reporter.js';
import { recordedRun } from '../recorded-run.js';
import { redactorsOf } from '../redactors.js';
import { warningsFor } from '../sandbox-warning.js';

export interface ResumeOptions
  extends OutputOptions,
    ApprovalsOptions,
    InputOptions,
    ApprovalOptions,
    DurabilityOptions,
    WorkspaceOptions {
  readonly acceptChanges?: true;
}

export function defineResume(command: Command, { io, exit }: CommandHost): void {
  addInputs(command, 'a secret value, which the record does not hold; repeatable');
  command.option('--accept-changes', 'go on with the workflow file as it is now, although it has changed');
  addLatestOf(command);
  addApproval(command);
  addApprovals(command);
  addDurability(command);
  addOutputFormat(command, ['text', 'json', 'stream-json']);
  addExamples(
    command,
    'toolgate resume 20261116-093512-4f9a1c',
    'toolgate resume RUN -i token="$TOKEN" --yes',
  );
  command.action(async (run: string, options: ResumeOptions) => exit(await resumeRun(run, options, io)));
}

export async function resumeRun(named: string, options: ResumeOptions, io: CliIo): Promise<number> {
  const reading = await createContainer({ journal: 'file' });
  const journal = reading.get<RunJournal>(TOKENS.RunJournal);
  const runId = await findRun(journal, { named, io, workspace: options.workspace });
  const recorded = await recordedRun(journal, runId, options.input ?? {});
  const { started, current, inputs } = recorded;
  const workflow = options.acceptChanges && current ? current : started.workflow;
  const approve = approvedTools(options, workflow);
  // Who suspended it expects that what is not answered by now can still be answered later.
  const place = options.approvals ?? (recorded.isSuspended ? 'terminal-or-later' : 'terminal');
  return withApprovals(place, io, async (approvals) => {
    const { workspace } = started;
    const container = await createContainer({ journal: 'file', workspace, approve, approvals });
    const reporter = createRunReporter(options.outputFormat, io, redactorsOf(workflow, inputs, io));
    pauseForQuestions(container, () => reporter.pause());
    const signal = io.interruption();
    const run = container.get<WorkflowRunner>(TOKENS.WorkflowRunner).resume(
      {
        runId,
        env: io.env,
        secretInputs: recorded.secretInputs,
        durability: options.durability,
        ...(current ? { workflow: current } : {}),
        ...(options.acceptChanges ? { acceptChanges: true } : {}),
      },
      { signal },
    );
    const warnings = await warningsFor(workflow, container, signal);
    return driveRun(run, reporter, { warnings, onSuspended: tellWaiting(container, io) });
  });
}
