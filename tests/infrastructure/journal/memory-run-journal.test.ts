import { describe, expect, it } from '@jest/globals';
import { MemoryJournal } from '../../../src/infrastructure/journal/memory-run-journal.js';
import { describeRunJournalContract } from '../../contracts/run-journal.contract.js';

describeRunJournalContract('MemoryJournal', async () => new MemoryJournal());

describe('MemoryJournal', () => {
  it('keeps the newest closed runs and every open one, not all there ever were', async () => {
    const journal = new MemoryJournal();
    await journal.open('open', 'create');
    for (let n = 1; n <= 40; n += 1) await (await journal.open(`run-${n}`, 'create')).close();
    const runs = await journal.list();
    expect(runs).toHaveLength(17);
    expect([runs[0], runs.at(-1)]).toEqual(['run-40', 'open']);
  });

  it('keeps fewer of them when they are long, and always the newest', async () => {
    const journal = new MemoryJournal();
    for (let n = 1; n <= 4; n += 1) {
      const session = await journal.open(`run-${n}`, 'create');
      for (let record = 0; record < 600; record += 1)
        session.append({ type: 'signal', name: 'x', payload: null });
      await session.close();
    }
    expect(await journal.list()).toEqual(['run-4']);
  });
});
