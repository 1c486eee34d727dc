import type { Command } from 'commander';
import { createContainer } from '../../../container.js';
import type { RunJournal } from '../../../ports/run-journal.js';
import { TOKENS } from '../../../ports/tokens.js';
import type { CliIo, CommandHost } from '../cli-io.js';
import {
  addExamples,
  addOutputFormat,
  addWorkspace,
  type OutputOptions,
  type WorkspaceOptions,
} from '../options.js';
import { prettyJson } from '../output/json-text.js';
import { table } from '../output/table.js';
import { resolveWorkspace } from '../resolve-workspace.js';
import { type RunSummary, summariseRun, summaryToJson } from '../run-summary.js';

interface RunsOptions extends OutputOptions, WorkspaceOptions {
  readonly all?: true;
}

export function defineRuns(command: Command, { io }: CommandHost): void {
  addWorkspace(command);
  command.option('--all', 'the runs of all workspaces');
  addOutputFormat(command, ['text', 'json']);
  addExamples(command, 'toolgate runs --all --output-format json');
  command.action(async (options: RunsOptions) => listRuns(options, io));
}

async function listRuns(options: RunsOptions, io: CliIo): Promise<void> {
  const { cwd, env } = io;
  const workspace = options.all ? undefined : await resolveWorkspace({ cwd, env, flag: options.workspace });
  const container = await createContainer({ journal: 'file', ...(workspace ? { workspace } : {}) });
  const journal = container.get<RunJournal>(TOKENS.RunJournal);
  const runs: RunSummary[] = [];
  // One at a time: journals may be large, and only what is told of them is kept.
  for (const runId of await journal.list()) runs.push(await summariseRun(journal, runId));
  if (options.outputFormat === 'json') io.out(prettyJson({ runs: runs.map(summaryToJson) }));
  else if (runs.length > 0) io.out(table(TITLES, runs.map(cellsOf)));
  else io.err(`there are no runs${workspace ? ` of ${workspace}` : ''} yet\n`);
}

const TITLES = ['RUN', 'WORKFLOW', 'STARTED (UTC)', 'STATUS', 'STEP', 'CALLS', 'IN DOUBT', 'WAITS FOR'];

function cellsOf(run: RunSummary): string[] {
  if (run.status === 'broken') return [run.runId, '', '', 'broken', '', '', '', run.problem];
  const waiting = run.waiting.map(({ plan, callId }) => `${plan.tool} (${callId})`);
  return [
    run.runId,
    run.workflow,
    new Date(run.startedAt).toISOString().replace('T', ' ').slice(0, 19),
    run.status,
    run.step ?? '',
    String(run.calls),
    run.inDoubt.length === 0 ? '' : String(run.inDoubt.length),
    waiting.join(', '),
  ];
}
