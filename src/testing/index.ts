export { MemoryJournal } from '../infrastructure/journal/memory-run-journal.js';
