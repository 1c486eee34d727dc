import type { Command } from 'commander';
import { createContainer } from '../../../container.js';
import type { RunJournal } from '../../../ports/run-journal.js';
import { TOKENS } from '../../../ports/tokens.js';
import { readSoundTrail, readTrail, wholeLines } from '../audit/read-trail.js';
import type { CliIo, CommandHost } from '../cli-io.js';
import { findRun } from '../find-run.js';
import {
  addExamples,
  addLatestOf,
  addOutputFormat,
  type OutputOptions,
  type WorkspaceOptions,
} from '../options.js';
import { prettyJson } from '../output/json-text.js';

interface AuditOptions extends OutputOptions, WorkspaceOptions {
  readonly verify?: true;
}

export function defineAudit(command: Command, { io }: CommandHost): void {
  command.option('--verify', 'check the chain of the journal and the trail against it, and print only that');
  addLatestOf(command);
  addOutputFormat(command, ['text', 'json']);
  addExamples(command, 'toolgate audit 20261116-093512-4f9a1c', 'toolgate audit RUN --verify');
  command.action(async (run: string, options: AuditOptions) => showAudit(run, options, io));
}

async function showAudit(run: string, options: AuditOptions, io: CliIo): Promise<void> {
  const container = await createContainer({ journal: 'file' });
  const journal = container.get<RunJournal>(TOKENS.RunJournal);
  const runId = await findRun(journal, { named: run, io, workspace: options.workspace });
  const isJson = options.outputFormat === 'json';
  if (options.verify) {
    const { records } = await readSoundTrail(journal, runId);
    io.out(
      isJson ? prettyJson({ run_id: runId, records, sound: true }) : `${records} records, chain sound\n`,
    );
    return;
  }
  const text = await readTrail(journal, runId);
  io.out(isJson ? `[\n${wholeLines(text).join(',\n')}\n]\n` : text);
}
