import type { JournalEntry, JournalRecord } from '../domain/journal.js';

/**
 * Where runs are recorded. A run has one writer: whoever holds its lease. A record is there, whole and in order,
 * when `append` returns; a record torn by a crash is as if it had never been written.
 */
export interface RunJournal {
  /** The folder that all runs are kept below, which no tool may write in; absent in memory. */
  readonly home?: string;
  /** Opens a run for writing. `create` fails if it exists, `continue` if it does not or somebody else holds it. */
  open(runId: string, mode: 'create' | 'continue', options: OpenOptions): Promise<JournalSession>;
  /** Everything recorded so far; needs no lease. */
  read(runId: string, options?: { readonly secrets?: readonly Secret[] }): Promise<readonly JournalRecord[]>;
  /** Run ids, newest first. */
  list(): Promise<readonly string[]>;
  /** What is outside of the records: where they are, and whether a living process is writing them. */
  inspect(runId: string): Promise<RunPlace>;
}

export interface RunPlace {
  /** Absent in memory. */
  readonly folder?: string;
  readonly isHeld: boolean;
}

export interface OpenOptions {
  /** Values that must not be written; each is stored as a reference to its name and put back on reading. */
  readonly secrets: readonly Secret[];
  /** `power` waits until the disk has each record, `crash` only until the kernel has it. */
  readonly durability: Durability;
}

export type Durability = 'crash' | 'power';

export interface Secret {
  /** `inputs.token`, `env.GITHUB_TOKEN`. */
  readonly name: string;
  readonly value: string;
}

export interface JournalSession {
  readonly runId: string;
  /** What was recorded before this session. */
  readonly records: readonly JournalRecord[];
  /** The run's own folder for whole outputs; absent in memory. */
  readonly folder?: string;
  /** Throws SYSTEM.JOURNAL.UNWRITABLE when it cannot be written: then the effect must not happen. */
  append(entry: JournalEntry): JournalRecord;
  close(): Promise<void>;
}
