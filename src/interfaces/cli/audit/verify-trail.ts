import type { JournalRecord } from '../../../domain/journal.js';
import { checkLine, type LinePlace, type RecordedJournal, workflowNameIn } from './check-line.js';
import { needsLine } from './trail-rules.js';

/** The first line of a trail that does not fit the journal. */
export interface TrailProblem {
  readonly line: number;
  readonly problem: string;
}

export interface VerifiedJournal extends RecordedJournal {
  /** How many of the records were there before the trail was read: a run that goes on adds to both meanwhile. */
  readonly settled: number;
  /** Whether a living process writes it: then the last record's line may be yet to come. */
  readonly isHeld: boolean;
}

const BEFORE_ALL: LinePlace = { seq: 0, part: 1, parts: 1 };

/**
 * Checks an audit trail against the journal it is a projection of: every line is about a record that is there, in
 * its order, and says what the record says; and no record that an auditor must see is missing. A line torn by a
 * crash is no fault, but a run that is over did not crash.
 */
export function verifyTrail(text: string, journal: VerifiedJournal): TrailProblem | undefined {
  const named = { ...journal, workflowName: workflowNameIn(journal.records) };
  // Every line ends with a line feed; what follows the last one was torn, or lost no more than that.
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  let before = BEFORE_ALL;
  for (const [index, line] of lines.entries()) {
    const place = checkLine(line, named);
    if (place === 'torn') continue;
    const problem = typeof place === 'string' ? place : gapBetween(before, place, journal);
    if (problem !== undefined) return { line: index + 1, problem };
    if (typeof place !== 'string') before = place;
  }
  const gap = missingAfter(before, journal);
  return gap === undefined ? undefined : { line: lines.length + 1, problem: gap };
}

/** What should stand between two lines and does not. */
function gapBetween(before: LinePlace, place: LinePlace, journal: VerifiedJournal): string | undefined {
  if (place.seq < before.seq) return `is about record ${place.seq}, after a line about record ${before.seq}`;
  const isSame = place.seq === before.seq;
  const expected = isSame ? before.part + 1 : 1;
  if (!isSame && before.part < before.parts) return `comes before record ${before.seq} was told to its end`;
  if (place.part !== expected)
    return `is part ${place.part} of record ${place.seq}, where part ${expected} belongs`;
  const between = isSame ? [] : journal.records.slice(before.seq, place.seq - 1);
  const skipped = between.find((record) => isTold(record, journal));
  return skipped && missing(skipped);
}

/** A process that died between the journal and the trail leaves out the very last record, or a part of it. */
function missingAfter(last: LinePlace, journal: VerifiedJournal): string | undefined {
  const records = journal.records.slice(0, journal.settled);
  const unfinished = last.part < last.parts ? records[last.seq - 1] : undefined;
  const unwritten = unfinished ?? records.slice(last.seq).find((record) => isTold(record, journal));
  const isOver = records.at(-1)?.type === 'run-ended' && !journal.isHeld;
  return unwritten && (isOver || unwritten !== records.at(-1)) ? missing(unwritten) : undefined;
}

function isTold(record: JournalRecord, { projection, isForeign }: RecordedJournal): boolean {
  const parts = isForeign ? undefined : projection.partsOf(record.seq);
  return parts === undefined ? needsLine(record) : parts > 0;
}

function missing({ seq, type }: JournalRecord): string {
  return `comes where record ${seq} (${type}) should be told of`;
}
