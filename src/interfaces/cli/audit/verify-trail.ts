import type { JournalRecord } from '../../../domain/journal.js';
import { checkLine, type LinePlace } from './check-line.js';
import { needsLine } from './trail-rules.js';

/** The first line of a trail that does not fit the journal. */
export interface TrailProblem {
  readonly line: number;
  readonly problem: string;
}

const BEFORE_ALL: LinePlace = { seq: 0, part: 1, parts: 1 };

/**
 * Checks an audit trail against the journal it is a projection of: every line is about a record that is there, at
 * its time, in its order; and no record that an auditor must see is missing. A line torn by a crash is no fault.
 */
export function verifyTrail(
  text: string,
  records: readonly JournalRecord[],
  runId: string,
): TrailProblem | undefined {
  // What follows the last line feed was torn; resuming the run writes it again.
  const lines = text.split('\n').slice(0, -1);
  let before = BEFORE_ALL;
  for (const [index, line] of lines.entries()) {
    const place = checkLine(line, records, runId);
    if (place === 'torn') continue;
    const problem = typeof place === 'string' ? place : gapBetween(before, place, records);
    if (problem !== undefined) return { line: index + 1, problem };
    if (typeof place !== 'string') before = place;
  }
  const gap = missingAfter(before, records);
  return gap === undefined ? undefined : { line: lines.length + 1, problem: gap };
}

/** What should stand between two lines and does not. */
function gapBetween(
  before: LinePlace,
  place: LinePlace,
  records: readonly JournalRecord[],
): string | undefined {
  if (place.seq < before.seq) return `is about record ${place.seq}, after a line about record ${before.seq}`;
  const isSame = place.seq === before.seq;
  const expected = isSame ? before.part + 1 : 1;
  if (!isSame && before.part < before.parts) return `comes before record ${before.seq} was told to its end`;
  if (place.part !== expected)
    return `is part ${place.part} of record ${place.seq}, where part ${expected} belongs`;
  const skipped = isSame ? undefined : records.slice(before.seq, place.seq - 1).find(needsLine);
  return skipped && missing(skipped);
}

/** A process that died between the journal and the trail leaves out the very last record, or a part of it. */
function missingAfter(last: LinePlace, records: readonly JournalRecord[]): string | undefined {
  const unfinished = last.part < last.parts ? records[last.seq - 1] : undefined;
  const unwritten = unfinished ?? records.slice(last.seq).find(needsLine);
  return unwritten && unwritten !== records.at(-1) ? missing(unwritten) : undefined;
}

function missing({ seq, type }: JournalRecord): string {
  return `comes where record ${seq} (${type}) should be told of`;
}
