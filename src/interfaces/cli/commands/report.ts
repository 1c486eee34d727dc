import { type Command, Option } from 'commander';
import { createContainer } from '../../../container.js';
import type { RunJournal } from '../../../ports/run-journal.js';
import { TOKENS } from '../../../ports/tokens.js';
import { readSoundTrail, trailEvents } from '../audit/read-trail.js';
import type { CliIo, CommandHost } from '../cli-io.js';
import { findRun } from '../find-run.js';
import { addExamples, addLatestOf, type WorkspaceOptions } from '../options.js';
import { documentOf } from '../report/document.js';
import { toHtml } from '../report/html.js';
import { toMarkdown } from '../report/markdown.js';
import { reportOf } from '../report/report-of.js';

interface ReportOptions extends WorkspaceOptions {
  readonly format: 'markdown' | 'html';
}

export function defineReport(command: Command, { io }: CommandHost): void {
  const format = new Option('--format <format>', 'what the report is written in');
  command.addOption(format.choices(['markdown', 'html']).default('markdown'));
  addLatestOf(command);
  addExamples(command, 'toolgate report latest', 'toolgate report RUN --format html > run.html');
  command.action(async (run: string, options: ReportOptions) => showReport(run, options, io));
}

/** Of a record that is not sound there is no report: it would lend it its looks. */
async function showReport(run: string, { format, workspace }: ReportOptions, io: CliIo): Promise<void> {
  const container = await createContainer({ journal: 'file' });
  const journal = container.get<RunJournal>(TOKENS.RunJournal);
  const runId = await findRun(journal, { named: run, io, workspace });
  const { trail, records } = await readSoundTrail(journal, runId);
  const document = documentOf(reportOf(trailEvents(trail), records));
  io.out(format === 'html' ? toHtml(document, `Run ${runId}`) : toMarkdown(document));
}
