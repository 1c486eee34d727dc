import type { JournalRecord } from '../domain/journal.js';
import type { JsonObject } from '../domain/json.js';
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

/** What a line says that no journal holds: who wrote it, and under which name the workflow went by then. */
export interface TrailOrigin {
  readonly user: string;
  readonly hostname: string;
  readonly workflowName: string;
}

/** What a trail must say, worked out again from the journal. */
export interface TrailProjection {
  /** Whether secrets were kept out of the journal: then other forms of them may be hidden in the trail. */
  readonly hasSecrets: boolean;
  /** How many lines tell of a record; undefined where that cannot be worked out. */
  partsOf(seq: number): number | undefined;
  /** One of a record's lines, as `origin` may have written it: one of these. Empty where there is no such line. */
  linesOf(seq: number, part: number, origin: TrailOrigin): readonly JsonObject[];
}
