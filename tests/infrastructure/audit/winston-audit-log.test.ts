import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import winston from 'winston';
import type { JournalEntry } from '../../../src/domain/journal.js';
import {
  WinstonAuditLog,
  type WinstonAuditLogOptions,
} from '../../../src/infrastructure/audit/winston-audit-log.js';
import {
  callIntent,
  callOutcome,
  eventsIn,
  linesIn,
  numbered,
  RUN_STARTED,
  runnable,
  turnIntent,
  turnOutcome,
} from '../../support/audit-fixture.js';
import { childProgram } from '../../support/child-program.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const ORIGIN = { user: 'ada', hostname: 'here' };
const UNWRITABLE = { code: 'SYSTEM.AUDIT.UNWRITABLE' };

function open(folder: string | undefined, options: WinstonAuditLogOptions = {}) {
  const run = { runId: 'run-1', workflowName: 'demo', secrets: [], ...(folder ? { folder } : {}) };
  return new WinstonAuditLog({ ...ORIGIN, ...options }).open(run);
}

async function record(folder: string, ...entries: readonly JournalEntry[]): Promise<void> {
  const session = await open(folder);
  for (const one of numbered(entries)) session.write(one);
  await session.close();
}

describe('WinstonAuditLog', () => {
  it("writes AWF's envelope, one line an event", async () => {
    const folder = temporaryFolder();
    await record(folder, RUN_STARTED, callIntent({ command: 'ls' }), callOutcome());
    const [start, call, result] = eventsIn(folder);
    expect(Object.keys(start ?? {})).toEqual([
      'event',
      'execution_id',
      'timestamp',
      'user',
      'workflow_name',
      'inputs',
      'workspace',
      'workflow_hash',
      'toolgate_version',
      'hostname',
      'seq',
      'schema_version',
    ]);
    expect(start).toMatchObject({
      event: 'run.start',
      inputs: { project: '.', api_key: '[redacted]' },
      hostname: 'here',
    });
    expect(call).toMatchObject({
      event: 'tool.call',
      execution_id: 'run-1',
      timestamp: expect.stringMatching(/^1970-01-01T\d\d:\d\d:02\.000[+-]\d\d:\d\d$/),
      user: 'ada',
      workflow_name: 'demo',
      arguments: { command: 'ls' },
      seq: 2,
      schema_version: 1,
    });
    expect(result).toMatchObject({ event: 'tool.result', seq: 3 });
  });

  it('has each line in the file as soon as it is written, for its owner only', async () => {
    const folder = temporaryFolder();
    const session = await open(folder);
    expect(statSync(join(folder, 'audit.jsonl')).mode & 0o777).toBe(0o600);
    for (const one of numbered([RUN_STARTED, callIntent()])) {
      session.write(one);
      expect(linesIn(folder)).toHaveLength(one.seq);
    }
    await session.close();
    expect(() => session.write({ ...RUN_STARTED, seq: 3, at: 0 })).toThrow(
      expect.objectContaining(UNWRITABLE),
    );
    await session.close();
  });

  it('takes a file that others could read away from them', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'audit.jsonl'), '');
    chmodSync(join(folder, 'audit.jsonl'), 0o644);
    await record(folder, RUN_STARTED);
    expect(statSync(join(folder, 'audit.jsonl')).mode & 0o777).toBe(0o600);
  });

  it('goes on where the trail ends, and writes nothing twice', async () => {
    const folder = temporaryFolder();
    await record(folder, RUN_STARTED, callIntent());
    const session = await open(folder);
    expect(session.lastSeq).toBe(2);
    for (const one of numbered([RUN_STARTED, callIntent(), callOutcome()])) session.write(one);
    await session.close();
    expect(eventsIn(folder).map(({ event, seq, call_id: id }) => [event, seq, id])).toEqual([
      ['run.start', 1, undefined],
      ['tool.call', 2, 'call_001'],
      ['tool.result', 3, 'call_001'],
    ]);
  });

  it('leaves a torn line on a line of its own, and writes its event again', async () => {
    const folder = temporaryFolder();
    await record(folder, RUN_STARTED);
    appendFileSync(join(folder, 'audit.jsonl'), '{"event":"tool.ca');
    const session = await open(folder);
    expect(session.lastSeq).toBe(1);
    for (const one of numbered([RUN_STARTED, callIntent()])) session.write(one);
    await session.close();
    expect(linesIn(folder).map((line) => line.slice(0, 18))).toEqual([
      '{"event":"run.star',
      '{"event":"tool.ca',
      '{"event":"tool.cal',
    ]);
    expect((await open(folder)).lastSeq).toBe(2);
  });

  it('finishes a record of several lines that a crash came into', async () => {
    const folder = temporaryFolder();
    const entries = [turnIntent(), turnOutcome([runnable('a'), runnable('b')]), turnIntent(2)];
    await record(folder, ...entries);
    const whole = linesIn(folder);
    expect(whole).toHaveLength(3);
    writeFileSync(join(folder, 'audit.jsonl'), `${whole.slice(0, 2).join('\n')}\n`);
    const session = await open(folder);
    expect(session.lastSeq).toBe(2);
    for (const one of numbered(entries)) session.write(one);
    await session.close();
    expect(linesIn(folder)).toEqual(whole);
  });

  it('does not take lines of another run for its own', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'audit.jsonl'), '{"execution_id":"run-2","seq":99}\nnull\n[]\n');
    expect((await open(folder)).lastSeq).toBe(0);
  });

  it.each<[string, (path: string) => void]>([
    ['is a link', (path) => symlinkSync('elsewhere', path)],
    ['is a folder', (path) => mkdirSync(path)],
    ['is a pipe', (path) => spawnSync('mkfifo', [path])],
    ['has a second name', (path) => linkSync(fileBeside(path), path)],
    ['holds a megabyte of something else', (path) => writeFileSync(path, 'x\n'.repeat(600_000))],
  ])('does not start a run whose log %s', async (_case, prepare) => {
    const folder = temporaryFolder();
    prepare(join(folder, 'audit.jsonl'));
    await expect(open(folder)).rejects.toMatchObject(UNWRITABLE);
    expect(existsSync(join(folder, 'elsewhere'))).toBe(false);
  });

  it('does not start a run whose folder is not there', async () => {
    await expect(open(join(temporaryFolder(), 'missing'))).rejects.toMatchObject(UNWRITABLE);
  });

  it('throws when a line cannot be written, and takes no more after it', () => {
    const folder = temporaryFolder();
    const program = childProgram(folder, FULL_DISK);
    const script = `trap "" XFSZ; ulimit -f 1; exec "${process.execPath}" "${program}" "${folder}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    expect(stderr).toBe('');
    const { codes, written } = JSON.parse(stdout);
    expect(codes).toEqual(['SYSTEM.AUDIT.UNWRITABLE', 'SYSTEM.AUDIT.UNWRITABLE']);
    expect(readFileSync(join(folder, 'audit.jsonl'), 'utf8').split('\n')).toHaveLength(written + 1);
  });

  it("gives every event to the user's transports, also where there is no folder", async () => {
    const lines: string[] = [];
    const infos: string[] = [];
    const plain = new winston.transports.Stream({ stream: collecting(lines) });
    const formatted = new winston.transports.Stream({
      stream: collecting(infos),
      format: winston.format.printf(
        ({ level, message, tool }) => `${level} ${String(message)} ${String(tool)}`,
      ),
    });
    const session = await open(undefined, { transports: [plain, formatted] });
    expect(session.lastSeq).toBe(0);
    for (const one of numbered([callIntent({ password: 'hunter2' }), callOutcome()])) session.write(one);
    await session.close();
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      event: 'tool.call',
      arguments: { password: '[redacted]' },
    });
    expect(infos).toEqual(['info tool.call shell\n', 'info tool.result shell\n']);
  });

  it('does not wait for, nor fall over, a transport that hangs or breaks', async () => {
    const folder = temporaryFolder();
    const hangs = new winston.transports.Stream({ stream: new Writable({ write: () => {} }) });
    hangs.log = () => {};
    const breaks = new winston.transports.Stream({ stream: new Writable({ write: () => {} }) });
    breaks.log = () => {
      throw new Error('broken');
    };
    const errors: unknown[] = [];
    const onTransportError = (error: unknown) => void errors.push(error);
    const session = await open(folder, { transports: [hangs, breaks], onTransportError });
    const entries = Array.from({ length: 100 }, () => callIntent());
    for (const one of numbered(entries)) session.write(one);
    expect(linesIn(folder)).toHaveLength(100);
    const start = performance.now();
    await session.close();
    expect(performance.now() - start).toBeLessThan(4_000);
    expect(errors).toEqual([new Error('broken')]);
  });
});

function collecting(lines: string[]): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
}

/** A file beside it, to be its other name. */
function fileBeside(path: string): string {
  const other = `${path}.other`;
  writeFileSync(other, '');
  return other;
}

const FULL_DISK = `
  import { WinstonAuditLog } from '#src/infrastructure/audit/winston-audit-log.ts';
  const codes: string[] = [];
  let written = 0;
  async function main() {
    const run = { runId: 'run-1', workflowName: 'demo', secrets: [], folder: process.argv[2] ?? '' };
    const session = await new WinstonAuditLog().open(run);
    for (let seq = 1; codes.length < 2 && seq < 100; seq += 1) {
      try {
        session.write({ type: 'step-started', step: 'x'.repeat(50), seq, at: 0 });
        written += 1;
      } catch (error) {
        codes.push((error as { code: string }).code);
      }
    }
    console.log(JSON.stringify({ codes, written }));
  }
  void main();
`;
