import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { JsonlRunJournal } from '../../../src/infrastructure/journal/jsonl-run-journal.js';
import type { JournalSession } from '../../../src/ports/run-journal.js';
import { describeRunJournalContract } from '../../contracts/run-journal.contract.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const OPEN = { secrets: [], durability: 'crash' } as const;

function make() {
  const folder = temporaryFolder();
  const workspace = join(folder, 'workspace');
  mkdirSync(workspace);
  return {
    folder,
    workspace,
    journal: new JsonlRunJournal({ workspace, env: { XDG_STATE_HOME: join(folder, 'state') } }),
  };
}

async function withRecords(count: number) {
  const made = make();
  const session = await made.journal.open('r1', 'create', OPEN);
  for (let n = 1; n <= count; n += 1) session.append({ type: 'step-started', step: `s${n}` });
  await session.close();
  return { ...made, session, file: fileOf(session) };
}

function fileOf(session: JournalSession): string {
  return join(session.folder ?? '', 'journal.jsonl');
}

describeRunJournalContract('JsonlRunJournal', async () => make().journal);

describe('JsonlRunJournal', () => {
  it('keeps runs outside the workspace, for their owner only', async () => {
    const { session, file, folder } = await withRecords(1);
    expect(session.folder).toMatch(new RegExp(`^${folder}/state/toolgate/[0-9a-f]{16}/runs/r1$`));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(session.folder ?? '').mode & 0o777).toBe(0o700);
  });

  it('refuses to keep them inside the workspace', async () => {
    const workspace = temporaryFolder();
    const journal = new JsonlRunJournal({ workspace, env: { XDG_STATE_HOME: join(workspace, 'state') } });
    await expect(journal.open('r1', 'create', OPEN)).rejects.toMatchObject({
      code: 'SYSTEM.JOURNAL.UNWRITABLE',
      message: expect.stringContaining('inside the workspace'),
    });
    expect(readdirSync(workspace)).toEqual([]);
  });

  it('drops a torn last line and goes on after it', async () => {
    const { journal, file } = await withRecords(2);
    appendFileSync(file, '{"hash":"0000');
    expect(await journal.read('r1')).toHaveLength(2);
    const session = await journal.open('r1', 'continue', OPEN);
    session.append({ type: 'run-resumed' });
    await session.close();
    expect((await journal.read('r1')).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  it('drops a last line that the disk filled with zeros', async () => {
    const { journal, file } = await withRecords(2);
    appendFileSync(file, `${'\0'.repeat(40)}\n`);
    expect(await journal.read('r1')).toHaveLength(2);
  });

  it('drops any part of the last record, wherever it was torn', async () => {
    const { journal, file } = await withRecords(2);
    const whole = readFileSync(file);
    const start = whole.lastIndexOf('\n', whole.length - 2) + 1;
    for (let end = start; end < whole.length; end += 1) {
      writeFileSync(file, whole.subarray(0, end));
      expect(await journal.read('r1')).toHaveLength(1);
    }
  });

  it.each([
    ['changed', (lines: string[]) => lines.map((line) => line.replace('"s2"', '"sX"')), 3],
    ['removed', (lines: string[]) => lines.filter((_, index) => index !== 2), 3],
    ['swapped', ([a, b, c, d, ...rest]: string[]) => [a, b, d, c, ...rest], 3],
    ['put in twice', ([a, b, ...rest]: string[]) => [a, b, b, ...rest], 3],
    ['not a record', (lines: string[]) => lines.map((line, index) => (index === 1 ? 'x' : line)), 2],
  ])('names the first line when one was %s', async (_what, change, line) => {
    const { journal, file } = await withRecords(4);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    writeFileSync(file, `${change(lines).join('\n')}\n`);
    await expect(journal.read('r1')).rejects.toMatchObject({
      code: 'SYSTEM.JOURNAL.BROKEN',
      details: { line },
    });
    await expect(journal.open('r1', 'continue', OPEN)).rejects.toMatchObject({
      code: 'SYSTEM.JOURNAL.BROKEN',
    });
  });

  it('writes no secret, and gives it back to whoever brings it again', async () => {
    const { journal } = make();
    const secrets = [
      { name: 'inputs.token', value: 's3cr3t-value' },
      { name: 'env.KEY', value: 's3cr3t' },
    ];
    const session = await journal.open('r1', 'create', { ...OPEN, secrets });
    session.append({
      type: 'signal',
      name: 'x',
      payload: { header: 'Bearer s3cr3t-value', list: ['s3cr3t'] },
    });
    await session.close();
    const text = readFileSync(fileOf(session), 'utf8');
    expect(text).not.toContain('s3cr3t');
    const payload = { header: 'Bearer s3cr3t-value', list: ['s3cr3t'] };
    expect(await journal.read('r1', { secrets })).toMatchObject([{ payload }]);
    expect(await journal.read('r1')).toMatchObject([
      { payload: { header: 'Bearer [secret inputs.token]', list: ['[secret env.KEY]'] } },
    ]);
    await expect(journal.open('r1', 'continue', OPEN)).rejects.toMatchObject({ code: 'USER.INPUT.MISSING' });
  });

  it('does not fill in a reference that a model wrote itself', async () => {
    const { journal } = make();
    const secrets = [{ name: 'inputs.token', value: 's3cr3t-value' }];
    const session = await journal.open('r1', 'create', { ...OPEN, secrets });
    session.append({
      type: 'signal',
      name: 'x',
      payload: '\u27e6secret:0000000000000000:inputs.token\u27e7',
    });
    await session.close();
    expect(JSON.stringify(await journal.read('r1', { secrets }))).not.toContain('s3cr3t');
  });

  it('takes run ids for names, never for paths', async () => {
    const { journal } = await withRecords(1);
    await expect(journal.read('../r1')).rejects.toMatchObject({ code: 'USER.RUN.NOT_FOUND' });
    await expect(journal.read('r1/../r1')).rejects.toMatchObject({ code: 'USER.RUN.NOT_FOUND' });
  });

  it('says what to do when the folder cannot be written', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'state'), 'a file where a folder should be');
    mkdirSync(join(folder, 'workspace'));
    const env = { XDG_STATE_HOME: join(folder, 'state') };
    const journal = new JsonlRunJournal({ workspace: join(folder, 'workspace'), env });
    await expect(journal.open('r1', 'create', OPEN)).rejects.toMatchObject({
      code: 'SYSTEM.JOURNAL.UNWRITABLE',
      message: expect.stringContaining('XDG_STATE_HOME'),
    });
  });

  it('does not hang where no folder can be made', async () => {
    const journal = new JsonlRunJournal({ workspace: temporaryFolder(), env: { XDG_STATE_HOME: '/proc/x' } });
    await expect(journal.open('r1', 'create', OPEN)).rejects.toMatchObject({
      code: 'SYSTEM.JOURNAL.UNWRITABLE',
    });
  });

  it('syncs each record with durability: power', async () => {
    const { journal } = make();
    const session = await journal.open('r1', 'create', { secrets: [], durability: 'power' });
    session.append({ type: 'step-started', step: 'one' });
    await session.close();
    expect(await journal.read('r1')).toHaveLength(1);
  });

  it('finds a run from any workspace', async () => {
    const { folder } = await withRecords(1);
    const elsewhere = new JsonlRunJournal({ env: { XDG_STATE_HOME: join(folder, 'state') } });
    expect(await elsewhere.read('r1')).toHaveLength(1);
    expect(await elsewhere.list()).toEqual(['r1']);
  });

  it('leaves nothing of a run that could not begin', async () => {
    const { journal } = make();
    const failing = {
      ...OPEN,
      get secrets(): never {
        throw new Error('no space');
      },
    };
    await expect(journal.open('r1', 'create', failing)).rejects.toThrow('no space');
    expect(await journal.list()).toEqual([]);
  });

  it('keeps the file sound when the disk is full', async () => {
    // /dev/full answers every write with ENOSPC; a journal on it must refuse before the effect.
    const { journal } = make();
    const session = await journal.open('r1', 'create', OPEN);
    chmodSync(fileOf(session), 0o600);
    await session.close();
    const { JsonlSession } = await import('../../../src/infrastructure/journal/jsonl-session.js');
    const { SecretVault } = await import('../../../src/infrastructure/journal/secret-vault.js');
    const { openSync } = await import('node:fs');
    const full = new JsonlSession({
      runId: 'full',
      folder: '',
      fd: openSync('/dev/full', 'w'),
      lease: { release: () => undefined },
      vault: new SecretVault([], 'n'),
      durability: 'crash',
      records: [],
      lastHash: '',
    });
    const unwritable = expect.objectContaining({ code: 'SYSTEM.JOURNAL.UNWRITABLE' });
    expect(() => full.append({ type: 'run-resumed' })).toThrow(unwritable);
    expect(() => full.append({ type: 'run-resumed' })).toThrow(unwritable);
    await full.close();
  });
});
