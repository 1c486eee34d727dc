import type { JournalRecord } from '../domain/journal.js';
import type { Secret } from './run-journal.js';

/** The trail for people who must answer for a run: one line an event, no secrets. A projection of the journal. */
export interface AuditLog {
  /** Throws SYSTEM.AUDIT.UNWRITABLE when it cannot be opened: such a run does not start. */
  open(run: AuditedRun): Promise<AuditSession>;
}

export interface AuditedRun {
  readonly runId: string;
  readonly workflowName: string;
  /** The run's folder; where it is absent the trail has nowhere to go and is not kept. */
  readonly folder?: string;
  readonly secrets: readonly Secret[];
}

export interface AuditSession {
  /** The journal's number of the last record already in the trail. */
  readonly lastSeq: number;
  /** A record that is in the trail already is not written again: a resumed run gives all of them, to fill gaps. */
  write(record: JournalRecord): void;
  close(): Promise<void>;
}
