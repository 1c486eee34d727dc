import { describe, expect, it } from '@jest/globals';
import type { JournalEntry, JournalRecord } from '../../../../src/domain/journal.js';
import { JournalTrailProjection } from '../../../../src/infrastructure/audit/journal-trail-projection.js';
import { type VerifiedJournal, verifyTrail } from '../../../../src/interfaces/cli/audit/verify-trail.js';

const ENTRIES: readonly JournalEntry[] = [
  {
    type: 'run-started',
    runId: 'r1',
    workflow: {},
    workflowHash: '',
    inputs: {},
    workspace: '/',
    options: {},
    version: '',
  },
  { type: 'outcome', id: 's/begin', kind: 'begin', value: { at: 1 } },
  { type: 'intent', effects: [{ id: 's/1/1/call', kind: 'call', input: {} }] },
  { type: 'outcome', id: 's/1/1/call', kind: 'call', value: { result: { success: false } } },
  { type: 'step-ended', step: 's', stoppedBy: 'completed' },
  { type: 'run-ended', status: 'success' },
];
const RECORDS = ENTRIES.map(
  (entry, index): JournalRecord => ({ ...entry, seq: index + 1, at: 1000 + index }),
);

function line(seq: number, event: string, more: object = {}): string {
  const timestamp = new Date(1000 + seq - 1).toISOString();
  return `${JSON.stringify({ event, execution_id: 'r1', timestamp, ...more, seq })}\n`;
}

const START = line(1, 'run.start');
const CALL = line(3, 'tool.call');
const RESULT = line(4, 'tool.result', { status: 'failure' });
const STEP = line(5, 'step.end');
const END = line(6, 'run.end');
const SOUND = [START, CALL, RESULT, STEP, END];

/** Of another version, whose lines have fewer fields than ours. */
const JOURNAL: VerifiedJournal = {
  runId: 'r1',
  records: RECORDS,
  projection: new JournalTrailProjection('r1', RECORDS),
  isForeign: true,
  settled: RECORDS.length,
  isHeld: false,
};

const verify = (...lines: readonly string[]) => verifyTrail(lines.join(''), JOURNAL);

function verifyUnended(...lines: readonly string[]) {
  const records = RECORDS.slice(0, -1);
  return verifyTrail(lines.join(''), { ...JOURNAL, records, settled: records.length });
}

describe('verifyTrail', () => {
  it('accepts the trail of a whole run', () => {
    expect(verify(...SOUND)).toBeUndefined();
  });

  it('accepts a trail whose last line a crash kept back or tore', () => {
    expect(verifyUnended(START, CALL, RESULT)).toBeUndefined();
    expect(verifyUnended(START, CALL, RESULT, STEP.slice(0, 30))).toBeUndefined();
    expect(verifyUnended(START, CALL, RESULT, STEP.trimEnd())).toBeUndefined();
  });

  it('accepts no torn end of a run that is over, unless its process is about to write it', () => {
    const torn = [START, CALL, RESULT, STEP, END.slice(0, 30)];
    const problem = 'comes where record 6 (run-ended) should be told of';
    expect(verify(...torn)).toEqual({ line: 6, problem });
    expect(verify(...torn.slice(0, -1))).toEqual({ line: 5, problem });
    expect(verifyTrail(torn.join(''), { ...JOURNAL, isHeld: true })).toBeUndefined();
  });

  it('asks no line for records that came while it was being read', () => {
    expect(verifyTrail([START, CALL].join(''), { ...JOURNAL, settled: 3, isHeld: true })).toBeUndefined();
  });

  it('passes over a torn line that was written again on resuming', () => {
    expect(verify(START, `${CALL.slice(0, 40)}\n`, CALL, RESULT, STEP, END)).toBeUndefined();
  });

  it.each([
    [
      'a line taken out of the middle',
      [START, CALL, STEP, END],
      3,
      'comes where record 4 (outcome) should be told of',
    ],
    ['the end cut off', [START, CALL, RESULT], 4, 'comes where record 5 (step-ended) should be told of'],
    ['nothing at all', [], 1, 'comes where record 1 (run-started) should be told of'],
    [
      'lines that changed places',
      [START, RESULT, CALL, STEP, END],
      2,
      'comes where record 3 (intent) should be told of',
    ],
    [
      'a line twice',
      [START, START, CALL, RESULT, STEP, END],
      2,
      'is part 1 of record 1, where part 2 belongs',
    ],
    [
      'a record that never was',
      [...SOUND, line(7, 'run.end')],
      6,
      'names record 7, which the journal does not hold',
    ],
    ['another event', [START, line(3, 'tool.denied')], 2, 'says tool.denied about record 3, which is intent'],
    [
      'another outcome',
      [START, CALL, RESULT.replace('failure', 'success')],
      3,
      'gives record 4 another outcome',
    ],
    ['another time', [START.replace('1970', '1971')], 1, 'gives record 1 another time'],
    ['another run', [START.replace('r1', 'r2')], 1, 'is about another run (r2)'],
    ['what is no JSON', ['garbage\n', ...SOUND], 1, 'is not JSON'],
    [
      'a part that is missing',
      [START, line(3, 'tool.call', { part: 1, parts: 2 }), RESULT],
      3,
      'comes before record 3 was told to its end',
    ],
  ])('names the first line of a trail with %s', (_, lines, number, problem) => {
    expect(verify(...lines)).toEqual({ line: number, problem });
  });
});
