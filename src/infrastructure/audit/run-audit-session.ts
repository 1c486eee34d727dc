import { ToolgateError } from '../../domain/errors.js';
import type { JournalRecord } from '../../domain/journal.js';
import type { JsonObject } from '../../domain/json.js';
import { createRedactor, type Redactor } from '../../domain/redaction.js';
import type { AuditedRun, AuditSession } from '../../ports/audit-log.js';
import type { AuditEvent } from './audit-event.js';
import { type AuditState, createAuditState } from './audit-state.js';
import { eventLine } from './event-line.js';
import { projectAuditEvents } from './project-audit-events.js';
import type { AuditWriter } from './winston-loggers.js';

/** Where a trail stops: some records take several lines, and a crash may have come between them. */
export interface TrailEnd {
  readonly seq: number;
  readonly part: number;
  readonly parts: number;
}

export interface RunAuditOptions {
  readonly run: AuditedRun;
  readonly origin: { readonly user: string; readonly hostname: string };
  /** Absent for a trail that begins. */
  readonly end?: TrailEnd | undefined;
  /** The first that throws keeps the line from the others. */
  readonly writers: readonly AuditWriter[];
  readonly close: () => Promise<void>;
}

/** One run's trail while it is written. May be given every record from the first: what is there is not repeated. */
export class RunAuditSession implements AuditSession {
  readonly lastSeq: number;
  readonly #state: AuditState = createAuditState();
  readonly #redactor: Redactor;
  #unusable: unknown;
  #closing: Promise<void> | undefined;

  constructor(private readonly options: RunAuditOptions) {
    const { end } = options;
    this.lastSeq = end ? (end.part < end.parts ? end.seq - 1 : end.seq) : 0;
    this.#redactor = createRedactor(options.run.secrets);
  }

  write(record: JournalRecord): void {
    if (this.#unusable !== undefined) throw this.#unusable;
    // A run in memory whose host listens to nothing: the trail goes nowhere, and costs nothing.
    if (this.options.writers.length === 0) return;
    const events = projectAuditEvents(record, this.#state);
    if (record.seq <= this.lastSeq) return;
    const written = record.seq === this.options.end?.seq ? this.options.end.part : 0;
    try {
      for (const [index, event] of events.entries()) {
        if (index >= written) this.#writeEvent(record, event, { part: index + 1, parts: events.length });
      }
    } catch (error) {
      // A line may be torn now: going on would bury it in the middle of the trail.
      this.#unusable = error;
      throw error;
    }
  }

  close(): Promise<void> {
    this.#unusable ??= new ToolgateError('SYSTEM.AUDIT.UNWRITABLE', 'The audit log is closed.');
    this.#closing ??= this.options.close();
    return this.#closing;
  }

  #writeEvent(record: JournalRecord, event: AuditEvent, place: Omit<TrailEnd, 'seq'>): void {
    const { run, origin, writers } = this.options;
    const where = {
      runId: run.runId,
      record,
      ...place,
      origin: { ...origin, workflowName: run.workflowName },
    };
    const line = eventLine(event, where, this.#redactor);
    const level = event.event === 'tool.denied' ? 'warn' : 'info';
    for (const write of writers) write(line, level);
  }
}

/** Where a trail stops, read from a line of it; undefined for lines of other runs and other makers. */
export function trailEndOf(line: JsonObject, runId: string): TrailEnd | undefined {
  const { execution_id: id, seq, part = 1, parts = 1 } = line;
  if (id !== runId || !Number.isInteger(seq)) return undefined;
  return { seq: Number(seq), part: Number(part), parts: Number(parts) };
}
