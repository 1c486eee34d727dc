export { MemoryJournal } from '../infrastructure/journal/memory-run-journal.js';
export { FakeSandbox } from './fake-sandbox.js';
export {
  type ComputedTurn,
  ScriptedAgent,
  type ScriptedAgentOptions,
  type ScriptedTurn,
} from './scripted-agent.js';
export { type PlainAnswer, type ScriptedAnswer, ScriptedApprovalGate } from './scripted-approval-gate.js';
export { ScriptedUserInput } from './scripted-user-input.js';
export {
  describeToolHandlerContract,
  type MakeToolHandler,
  type ToolHandlerSubject,
} from './tool-handler-contract.js';
