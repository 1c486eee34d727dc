/** Every injection symbol, in one place. */
export const TOKENS = {
  AgentProviders: Symbol.for('toolgate/AgentProviders'),
  ApprovalGate: Symbol.for('toolgate/ApprovalGate'),
  ArgumentValidator: Symbol.for('toolgate/ArgumentValidator'),
  AuditLog: Symbol.for('toolgate/AuditLog'),
  Clock: Symbol.for('toolgate/Clock'),
  FileAccess: Symbol.for('toolgate/FileAccess'),
  NetworkAccess: Symbol.for('toolgate/NetworkAccess'),
  ProcessReaper: Symbol.for('toolgate/ProcessReaper'),
  RunJournal: Symbol.for('toolgate/RunJournal'),
  Sandbox: Symbol.for('toolgate/Sandbox'),
  ToolExecutor: Symbol.for('toolgate/ToolExecutor'),
  ToolHandler: Symbol.for('toolgate/ToolHandler'),
  ToolOrchestrator: Symbol.for('toolgate/ToolOrchestrator'),
  ToolSource: Symbol.for('toolgate/ToolSource'),
  WorkflowRepository: Symbol.for('toolgate/WorkflowRepository'),
  WorkflowRunner: Symbol.for('toolgate/WorkflowRunner'),
} as const;
