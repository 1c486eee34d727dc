export { MemoryJournal } from '../infrastructure/journal/memory-run-journal.js';
export { FakeSandbox } from './fake-sandbox.js';
export * from './scripted-agent.js';
export * from './scripted-approval-gate.js';
