import type { Command } from 'commander';
import { createContainer } from '../../../container.js';
import { toVisible } from '../../../domain/visible-text.js';
import type { ApprovalInbox } from '../../../ports/approval-inbox.js';
import type { RunJournal } from '../../../ports/run-journal.js';
import { TOKENS } from '../../../ports/tokens.js';
import { SHOWN_HASH } from '../approvals/waiting-text.js';
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
import { type RunSummary, summariseRun, summaryToJson, type WaitingQuestion } from '../run-summary.js';

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
  const inbox = container.get<ApprovalInbox>(TOKENS.ApprovalInbox);
  const runs: RunSummary[] = [];
  // One at a time: journals may be large, and only what is told of them is kept.
  for (const runId of await journal.list()) {
    runs.push(await summariseRun({ journal, inbox }, runId));
  }
  if (options.outputFormat === 'json') io.out(prettyJson({ runs: runs.map(summaryToJson) }));
  else if (runs.length > 0) io.out(table(TITLES, runs.map(cellsOf)));
  else io.err(`there are no runs${workspace ? ` of ${workspace}` : ''} yet\n`);
}

const TITLES = ['RUN', 'WORKFLOW', 'STARTED (UTC)', 'STATUS', 'STEP', 'CALLS', 'IN DOUBT', 'WAITS FOR'];

function cellsOf(run: RunSummary): string[] {
  if (run.status === 'broken') return [run.runId, '', '', 'broken', '', '', '', run.problem];
  return [
    run.runId,
    run.workflow,
    new Date(run.startedAt).toISOString().replace('T', ' ').slice(0, 19),
    run.status,
    run.step ?? '',
    String(run.calls),
    run.inDoubt.length === 0 ? '' : String(run.inDoubt.length),
    waitsFor(run.waiting),
  ];
}

const MOST_SHOWN = 3;

function waitsFor(waiting: readonly WaitingQuestion[]): string {
  const shown = waiting.slice(0, MOST_SHOWN).map(({ plan, callId, planHash, answer }) => {
    const state = answer ? `${answer}: resume it` : `plan ${planHash.slice(0, SHOWN_HASH)}`;
    return toVisible(`${plan.tool} (${callId}, ${state})`);
  });
  const more = waiting.length - MOST_SHOWN;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}
