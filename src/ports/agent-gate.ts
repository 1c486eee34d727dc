import type { AgentNotice } from '../domain/agent-notice.js';
import type { Usage } from '../domain/message.js';
import type { CallRecord } from '../domain/step-state.js';
import type { StartedProcess } from './sandbox.js';
import type { ServedRun } from './tool-server.js';

/**
 * What an agent that owns its loop is given for one turn: a way to call tools, each call through the gate of the step
 * that asked, and a way to tell what must be known of it. Once the turn is over, no call is run.
 */
export interface AgentGate {
  /** What the tools' relative paths are relative to; absent if there are no tools. */
  readonly workspace?: string;
  /** Fires when a limit has ended the turn: the agent is to be ended, and its reply is what it said until then. */
  readonly ended: AbortSignal;
  /** Set if another process asked for this very turn, and died before there was a reply. */
  readonly interrupted?: InterruptedTurn;
  readonly call: ServedRun['call'];
  /** All that the turn has used until now; the turn is ended when that is too much. */
  used(usage: Usage): void;
  /** Recorded when it returns. */
  tell(notice: AgentNotice): void;
  /** Leaves a trace of a process, so that it can be ended after a crash. */
  started(process: StartedProcess): void;
}

/** What is known of a turn whose process died. */
export interface InterruptedTurn {
  readonly sessionId?: string;
  /** The calls that it made, each with its one result; `EXECUTION.CALL.IN_DOUBT` where nobody knows. */
  readonly calls: readonly CallRecord[];
}
