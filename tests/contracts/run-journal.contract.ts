import { describe, expect, it } from '@jest/globals';
import type { RunJournal } from '../../src/ports/run-journal.js';

const OPEN = { secrets: [], durability: 'crash' } as const;
const STEP = { type: 'step-started', step: 'one' } as const;

/** What every journal promises, whatever it writes to. */
export function describeRunJournalContract(name: string, make: () => Promise<RunJournal>): void {
  describe(`${name} as a RunJournal`, () => {
    it('gives back what was appended, numbered from one', async () => {
      const journal = await make();
      const session = await journal.open('r1', 'create', OPEN);
      expect(session.records).toEqual([]);
      const first = session.append(STEP);
      session.append({ type: 'run-ended', status: 'success' });
      await session.close();
      const records = await journal.read('r1');
      expect(records.map(({ seq, type }) => [seq, type])).toEqual([
        [1, 'step-started'],
        [2, 'run-ended'],
      ]);
      expect(records[0]).toEqual(first);
    });

    it('continues a run where it was left', async () => {
      const journal = await make();
      const before = await journal.open('r1', 'create', OPEN);
      before.append(STEP);
      await before.close();
      const after = await journal.open('r1', 'continue', OPEN);
      expect(after.records).toHaveLength(1);
      expect(after.append({ type: 'run-resumed' }).seq).toBe(2);
      await after.close();
      expect(await journal.read('r1')).toHaveLength(2);
    });

    it('has one writer at a time', async () => {
      const journal = await make();
      const holder = await journal.open('r1', 'create', OPEN);
      await expect(journal.open('r1', 'continue', OPEN)).rejects.toMatchObject({
        code: 'SYSTEM.JOURNAL.LEASED',
      });
      await holder.close();
      await (await journal.open('r1', 'continue', OPEN)).close();
    });

    it('can be read while it is written', async () => {
      const journal = await make();
      const session = await journal.open('r1', 'create', OPEN);
      session.append(STEP);
      expect(await journal.read('r1')).toHaveLength(1);
      await session.close();
    });

    it('knows no run that was never created', async () => {
      const journal = await make();
      const notFound = { code: 'USER.RUN.NOT_FOUND' };
      await expect(journal.read('none')).rejects.toMatchObject(notFound);
      await expect(journal.open('none', 'continue', OPEN)).rejects.toMatchObject(notFound);
      expect(await journal.list()).toEqual([]);
    });

    it('refuses records once it is closed', async () => {
      const journal = await make();
      const session = await journal.open('r1', 'create', OPEN);
      await session.close();
      expect(() => session.append(STEP)).toThrow(
        expect.objectContaining({ code: 'SYSTEM.JOURNAL.UNWRITABLE' }),
      );
      await session.close();
    });

    it('lists the newest run first', async () => {
      const journal = await make();
      for (const id of ['20260101-a', '20260102-b']) await (await journal.open(id, 'create', OPEN)).close();
      expect(await journal.list()).toEqual(['20260102-b', '20260101-a']);
    });
  });
}
