import { describe, expect, it } from '@jest/globals';
import type { JournalEntry, JournalRecord } from '../../../../src/domain/journal.js';
import { JournalTrailProjection } from '../../../../src/infrastructure/audit/journal-trail-projection.js';
import { WinstonAuditLog } from '../../../../src/infrastructure/audit/winston-audit-log.js';
import { verifyTrail } from '../../../../src/interfaces/cli/audit/verify-trail.js';
import {
  callIntent,
  callOutcome,
  linesIn,
  numbered,
  RUN_STARTED,
  runnable,
  turnIntent,
  turnOutcome,
} from '../../../support/audit-fixture.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const TOKEN = 'sesame-open-1';
const BASE64 = Buffer.from(`user:${TOKEN}`).toString('base64');
const ENDED: JournalEntry = { type: 'run-ended', status: 'success' };

interface Written {
  readonly records: readonly JournalRecord[];
  readonly lines: readonly string[];
}

/** A run's trail, written by whoever knows the secret, and its journal as it is read by one who does not. */
async function written(...entries: readonly JournalEntry[]): Promise<Written> {
  const folder = temporaryFolder();
  const secrets = [{ name: 'inputs.token', value: TOKEN }];
  const run = { runId: 'run-1', workflowName: 'demo', secrets, folder };
  const session = await new WinstonAuditLog({ user: 'ada', hostname: 'here' }).open(run);
  const known = numbered([RUN_STARTED, ...entries, ENDED]);
  for (const record of known) session.write(record);
  await session.close();
  const sealed = JSON.stringify(known).replaceAll(TOKEN, '[secret inputs.token]');
  return { records: JSON.parse(sealed), lines: linesIn(folder) };
}

function verify({ records, lines }: Written, options: { readonly isForeign?: boolean } = {}) {
  return verifyTrail(`${lines.join('\n')}\n`, {
    runId: 'run-1',
    records,
    projection: new JournalTrailProjection('run-1', records),
    isForeign: false,
    settled: records.length,
    isHeld: false,
    ...options,
  });
}

function changed({ records, lines }: Written, from: string, to: string): Written {
  const text = lines.join('\n');
  expect(text).toContain(from);
  return { records, lines: text.replace(from, () => to).split('\n') };
}

const denied = { code: 'EXECUTION.SANDBOX.DENIED', message: 'outside of the workspace' } as const;
const CALLS: readonly JournalEntry[] = [
  turnIntent(),
  turnOutcome([
    runnable('call_001', { n: 3 }),
    { ...runnable('call_002', { path: '/etc' }), verdict: 'refuse', failure: denied } as never,
  ]),
  callIntent({ n: 3 }),
  callOutcome({ output: 'three' }),
];

describe('verifyTrail, of what the lines say', () => {
  it('accepts what was written', async () => {
    expect(verify(await written(...CALLS))).toBeUndefined();
  });

  it.each([
    ['an argument', '"arguments":{"n":3}', '"arguments":{"n":4}', 4, 'arguments.n', 4],
    ['an argument that is more', '"arguments":{"n":3}', '"arguments":{"n":3,"m":1}', 4, 'arguments', 4],
    ['who approved it', '"approval":"auto"', '"approval":"user"', 4, 'approval', 4],
    ['what was approved', '"plan_hash":"h"', '"plan_hash":"i"', 4, 'plan_hash', 4],
    ['what came out', '"output":"three"', '"output":"four"', 5, 'output', 5],
    ['what came out, hidden', '"output":"three"', '"output":"a [redacted]"', 5, 'output', 5],
    ['why it was refused', '"code":"EXECUTION.SANDBOX.DENIED"', '"code":"X"', 3, 'error.code', 3],
    [
      'a field that never was',
      '"tool":"shell","arguments"',
      '"tool":"shell","by":"eve","arguments"',
      3,
      'by',
      3,
    ],
    ['a field taken away', '"approval":"auto",', '', 4, 'approval', 4],
    ['no user', '"user":"ada",', '', 1, 'user', 1],
  ])('notices %s', async (_, from, to, line, field, record) => {
    const problem = `was changed: its ${field} is not what record ${record} says`;
    expect(verify(changed(await written(...CALLS), from, to))).toEqual({ line, problem });
  });

  it('notices another name of the workflow', async () => {
    const { records, lines } = await written(...CALLS);
    const renamed = lines.map((line) => line.replace('"workflow_name":"demo"', '"workflow_name":"other"'));
    expect(verify({ records, lines: renamed })).toEqual({
      line: 1,
      problem: 'gives the workflow another name',
    });
  });

  it('notices a line taken away of a record that has more', async () => {
    const { records, lines } = await written(...CALLS);
    const without = lines.filter((line) => !line.includes('"call_002"') || line.includes('"event":"turn"'));
    expect(without).toHaveLength(lines.length - 1);
    expect(verify({ records, lines: without })?.problem).toBe('comes before record 3 was told to its end');
  });

  it('accepts secrets that the journal does not hold, in whichever form they were hidden', async () => {
    const args = { url: `https://x/?key=1&t=${TOKEN}`, header: BASE64, note: `say ${TOKEN} twice: ${TOKEN}` };
    const trail = await written(callIntent(args), callOutcome({ output: `got ${TOKEN} and ${BASE64}!` }));
    expect(trail.lines.join('')).not.toContain(BASE64);
    expect(verify(trail)).toBeUndefined();
    expect(verify(changed(trail, 'twice', 'thrice'))).toMatchObject({ line: 2 });
  });

  it('accepts lines that were cut, with secrets in them or without', async () => {
    const long = 'x'.repeat(9_000);
    const plain = await written(callIntent({ text: long }), callOutcome({ output: `${TOKEN} ${long}` }));
    expect(verify(plain)).toBeUndefined();
    const encoded = await written(
      callIntent({ text: TOKEN }),
      callOutcome({ output: `${long} ${BASE64} ${long}` }),
    );
    expect(verify(encoded)).toBeUndefined();
    expect(verify(changed(encoded, '"output":"xx', '"output":"yx'))).toMatchObject({ line: 3 });
  });

  it('accepts what an agent wrote to look like a secret', async () => {
    const trail = await written(callIntent({ text: `[secret inputs.other] ${TOKEN}` }), callOutcome());
    expect(verify(trail)).toBeUndefined();
  });

  it('holds the trail of another version to what matters, and not to every field', async () => {
    const trail = await written(...CALLS);
    const older = changed(changed(trail, '"duration_ms":5,', ''), '"output":"three"', '"printed":"three"');
    expect(verify(older, { isForeign: true })).toBeUndefined();
    expect(verify(changed(older, '"n":3', '"n":4'), { isForeign: true })?.problem).toContain('arguments.n');
  });
});
