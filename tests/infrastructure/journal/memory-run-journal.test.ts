import { MemoryJournal } from '../../../src/infrastructure/journal/memory-run-journal.js';
import { describeRunJournalContract } from '../../contracts/run-journal.contract.js';

describeRunJournalContract('MemoryJournal', async () => new MemoryJournal());
