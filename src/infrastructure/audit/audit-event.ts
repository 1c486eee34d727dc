import type { Json, JsonObject } from '../../domain/json.js';

/** What an audit line can be about. */
export type AuditEventName =
  | 'run.start'
  | 'run.resume'
  | 'run.suspend'
  | 'run.end'
  | 'step.start'
  | 'step.end'
  | 'turn'
  /** What a person said in a conversation. */
  | 'user.message'
  /** The agent was asked to sum up what no longer fitted. */
  | 'summary'
  /** An agent that owns its loop told what it calls its session; whoever knows it can go on with it. */
  | 'agent.session'
  | 'agent.warning'
  | 'approval.asked'
  | 'approval.answered'
  | 'process.start'
  | 'signal'
  | 'tool.call'
  | 'tool.result'
  | 'tool.denied'
  /** The agent used a tool of its own, past the gate. */
  | 'tool.bypassed'
  /** Asked for and never run: past a limit, or the run was stopped first. */
  | 'tool.skipped';

/** One thing that happened, before it is redacted, cut to size and put into its envelope. */
export interface AuditEvent {
  readonly event: AuditEventName;
  readonly details: JsonObject;
}

/** Makes an event; what is undefined is left out. */
export function auditEvent(
  event: AuditEventName,
  fields: Readonly<Record<string, Json | undefined>>,
): AuditEvent {
  const present = Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined);
  return { event, details: Object.fromEntries(present) };
}
