import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { createContainer } from '../../../container.js';
import { messageOf, ToolgateError } from '../../../domain/errors.js';
import type { RunJournal } from '../../../ports/run-journal.js';
import { TOKENS } from '../../../ports/tokens.js';
import { verifyTrail } from '../audit/verify-trail.js';
import type { CliIo, CommandHost } from '../cli-io.js';
import { findRun } from '../find-run.js';
import { addExamples, addOutputFormat, type OutputOptions } from '../options.js';
import { prettyJson } from '../output/json-text.js';

interface AuditOptions extends OutputOptions {
  readonly verify?: true;
}

export function defineAudit(command: Command, { io }: CommandHost): void {
  command.option('--verify', 'check the chain of the journal and the trail against it, and print only that');
  addOutputFormat(command, ['text', 'json']);
  addExamples(command, 'toolgate audit 20261116-093512-4f9a1c', 'toolgate audit RUN --verify');
  command.action(async (run: string, options: AuditOptions) => showAudit(run, options, io));
}

async function showAudit(run: string, options: AuditOptions, io: CliIo): Promise<void> {
  const container = await createContainer({ journal: 'file' });
  const journal = container.get<RunJournal>(TOKENS.RunJournal);
  const runId = await findRun(journal, run);
  if (options.verify) return verify(journal, runId, { isJson: options.outputFormat === 'json', io });
  const text = await readTrail(journal, runId);
  if (options.outputFormat === 'text') io.out(text);
  else io.out(`[\n${text.split('\n').filter(isWhole).join(',\n')}\n]\n`);
}

/** A line that a crash tore is in the trail, but is no JSON. */
function isWhole(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** A journal that was tampered with does not get past `read`, which names the line. */
async function verify(
  journal: RunJournal,
  runId: string,
  { isJson, io }: { readonly isJson: boolean; readonly io: CliIo },
): Promise<void> {
  const records = await journal.read(runId);
  const problem = verifyTrail(await readTrail(journal, runId), records, runId);
  if (problem) {
    throw new ToolgateError(
      'SYSTEM.JOURNAL.BROKEN',
      `The journal of run ${runId} is sound, but its audit trail is not: line ${problem.line} ${problem.problem}`,
      { details: { ...problem } },
    );
  }
  if (isJson) io.out(prettyJson({ run_id: runId, records: records.length, sound: true }));
  else io.out(`${records.length} records, chain sound\n`);
}

async function readTrail(journal: RunJournal, runId: string): Promise<string> {
  const { folder = '' } = await journal.inspect(runId);
  const file = join(folder, 'audit.jsonl');
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new ToolgateError('SYSTEM.IO.READ_FAILED', `Cannot read the audit trail: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
