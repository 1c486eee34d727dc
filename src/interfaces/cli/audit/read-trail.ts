import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VERSION } from '../../../application/version.js';
import { projectTrail } from '../../../container.js';
import { messageOf, ToolgateError } from '../../../domain/errors.js';
import type { JournalRecord } from '../../../domain/journal.js';
import type { JsonObject } from '../../../domain/json.js';
import type { RunJournal } from '../../../ports/run-journal.js';
import { verifyTrail } from './verify-trail.js';

/** The audit trail of a run as it stands in its folder. */
export async function readTrail(journal: RunJournal, runId: string): Promise<string> {
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

/** The trail, and of how many records; throws when it, or the journal behind it, is not what was written. */
export async function readSoundTrail(
  journal: RunJournal,
  runId: string,
): Promise<{ readonly trail: string; readonly records: number }> {
  const { isHeld } = await journal.inspect(runId);
  // A journal that was tampered with does not get past `read`, which names the line.
  const before = await journal.read(runId);
  const trail = await readTrail(journal, runId);
  const records = isHeld ? await journal.read(runId) : before;
  const projection = await projectTrail(runId, records);
  const recorded = { runId, records, projection, isForeign: isForeign(records) };
  const problem = verifyTrail(trail, { ...recorded, settled: before.length, isHeld });
  if (!problem) return { trail, records: before.length };
  throw new ToolgateError(
    'SYSTEM.JOURNAL.BROKEN',
    `The journal of run ${runId} is sound, but its audit trail is not: line ${problem.line} ${problem.problem}`,
    { details: { ...problem } },
  );
}

function isForeign([started]: readonly JournalRecord[]): boolean {
  return started?.type === 'run-started' && started.version !== VERSION;
}

/** The trail's lines, without what a crash tore: that is in the trail, but is no JSON. */
export function wholeLines(trail: string): readonly string[] {
  return trail.split('\n').filter((line) => eventIn(line) !== undefined);
}

/** The same lines, read. */
export function trailEvents(trail: string): readonly JsonObject[] {
  return trail.split('\n').flatMap((line) => {
    const event = eventIn(line);
    return event ? [event] : [];
  });
}

function eventIn(line: string): JsonObject | undefined {
  try {
    return JSON.parse(line) as JsonObject;
  } catch {
    return undefined;
  }
}
