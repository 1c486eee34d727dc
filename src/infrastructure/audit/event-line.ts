import type { JournalRecord } from '../../domain/journal.js';
import type { JsonObject } from '../../domain/json.js';
import type { Redactor } from '../../domain/redaction.js';
import type { TrailOrigin } from '../../ports/audit-log.js';
import type { AuditEvent } from './audit-event.js';
import { toAuditLine } from './audit-line.js';
import { toTimestamp } from './timestamp.js';

export interface EventPlace {
  readonly runId: string;
  readonly record: Pick<JournalRecord, 'seq' | 'at'>;
  /** Which of the record's events it is, from 1. */
  readonly part: number;
  readonly parts: number;
  readonly origin: TrailOrigin;
}

/** The line for an event of a record: in its envelope, redacted, cut to size. */
export function eventLine({ event, details }: AuditEvent, place: EventPlace, redactor: Redactor): string {
  const { runId, record, part, parts, origin } = place;
  return toAuditLine({
    head: {
      event,
      execution_id: runId,
      timestamp: toTimestamp(record.at),
      user: origin.user,
      workflow_name: origin.workflowName,
    },
    details: {
      ...redacted(details, redactor),
      ...(SAYS_WHERE.has(event) ? { hostname: origin.hostname } : {}),
    },
    tail: { seq: record.seq, ...(parts > 1 ? { part, parts } : {}), schema_version: 1 },
    cutMark: event === 'run.start' ? 'inputs_truncated' : 'truncated',
  });
}

const SAYS_WHERE: ReadonlySet<string> = new Set(['run.start', 'run.resume']);

/** Value by value: the names of the fields are ours, and stay what they are. */
function redacted(details: JsonObject, redactor: Redactor): JsonObject {
  return Object.fromEntries(Object.entries(details).map(([key, value]) => [key, redactor.json(value)]));
}
