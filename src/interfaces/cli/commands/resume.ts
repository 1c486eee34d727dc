import type { Command } from 'commander';
import type { WorkflowRunner } from '../../../application/workflow-runner.js';
import { createContainer } from '../../../container.js';
import type { RunJournal } from '../../../ports/run-journal.js';
import { TOKENS } from '../../../ports/tokens.js';
import { approvedTools } from '../approved-tools.js';
import type { CliIo, CommandHost } from '../cli-io.js';
import { driveRun, pauseForQuestions } from '../drive-run.js';
import {
  type ApprovalOptions,
  addApproval,
  addDurability,
  addExamples,
  addInputs,
  addOutputFormat,
  type DurabilityOptions,
  type InputOptions,
  type OutputOptions,
} from '../options.js';
import { createRunReporter } from '../output/run-reporter.js';
import { recordedRun } from '../recorded-run.js';
import { redactorsOf } from '../redactors.js';
import { warningsFor } from '../sandbox-warning.js';

interface ResumeOptions extends OutputOptions, InputOptions, ApprovalOptions, DurabilityOptions {
  readonly acceptChanges?: true;
}

export function defineResume(command: Command, { io, exit }: CommandHost): void {
  addInputs(command, 'a secret value, which the record does not hold; repeatable');
  command.option('--accept-changes', 'go on with the workflow file as it is now, although it has changed');
  addApproval(command);
  addDurability(command);
  addOutputFormat(command, ['text', 'json', 'stream-json']);
  addExamples(
    command,
    'toolgate resume 20261116-093512-4f9a1c',
    'toolgate resume RUN -i token="$TOKEN" --yes',
  );
  command.action(async (run: string, options: ResumeOptions) => exit(await resumeRun(run, options, io)));
}

async function resumeRun(runId: string, options: ResumeOptions, io: CliIo): Promise<number> {
  const reading = await createContainer({ journal: 'file' });
  const recorded = await recordedRun(reading.get<RunJournal>(TOKENS.RunJournal), runId, options.input ?? {});
  const { started, current, inputs } = recorded;
  const workflow = options.acceptChanges && current ? current : started.workflow;
  const approve = approvedTools(options, workflow);
  const container = await createContainer({ journal: 'file', workspace: started.workspace, approve });
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
  return driveRun(run, reporter, await warningsFor(workflow, container, signal));
}
