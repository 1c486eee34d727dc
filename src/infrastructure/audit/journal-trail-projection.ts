import { type JournalRecord, WITHHELD_SECRET } from '../../domain/journal.js';
import type { JsonObject } from '../../domain/json.js';
import { createRedactor, type Redactor } from '../../domain/redaction.js';
import type { TrailOrigin, TrailProjection } from '../../ports/audit-log.js';
import type { AuditEvent } from './audit-event.js';
import { createAuditState } from './audit-state.js';
import { eventLine } from './event-line.js';
import { projectAuditEvents } from './project-audit-events.js';

/** Works a trail out again from the journal, by the same steps that wrote it. */
export class JournalTrailProjection implements TrailProjection {
  readonly hasSecrets: boolean;
  readonly #events: readonly (readonly AuditEvent[] | undefined)[];
  readonly #redactors: readonly Redactor[];

  constructor(
    private readonly runId: string,
    private readonly records: readonly JournalRecord[],
  ) {
    const state = createAuditState();
    this.#events = records.map((record) => {
      try {
        return projectAuditEvents(record, state);
      } catch {
        // Another version's record may lack what this one looks for; then nobody knows what was told of it.
        return undefined;
      }
    });
    const withheld = withheldIn(records);
    this.hasSecrets = withheld.length > 0;
    // An agent may write what only looks like a secret that is withheld, and that was never hidden.
    this.#redactors = [...(this.hasSecrets ? [createRedactor(withheld)] : []), createRedactor([])];
  }

  partsOf(seq: number): number | undefined {
    return this.#events[seq - 1]?.length;
  }

  linesOf(seq: number, part: number, origin: TrailOrigin): readonly JsonObject[] {
    const events = this.#events[seq - 1] ?? [];
    const event = events[part - 1];
    const record = this.records[seq - 1];
    if (!event || !record) return [];
    const place = { runId: this.runId, record, part, parts: events.length, origin };
    return this.#redactors.map((redactor) => JSON.parse(eventLine(event, place, redactor)) as JsonObject);
  }
}

/** What stands in the records for secrets, as if these were the secrets: the trail hid them in the same places. */
function withheldIn(records: readonly JournalRecord[]): readonly { name: string; value: string }[] {
  const found = JSON.stringify(records).match(WITHHELD_SECRET) ?? [];
  return [...new Set(found)].map((value) => ({ name: value, value }));
}
