import type { JournalRecord } from '../../../domain/journal.js';
import { isJsonObject, type JsonObject } from '../../../domain/json.js';
import type { TrailProjection } from '../../../ports/audit-log.js';
import { differenceBetween } from './compare-line.js';
import { EVENT_SOURCES } from './trail-rules.js';

/** Which record a line is about, and which of the record's lines it is. */
export interface LinePlace {
  readonly seq: number;
  readonly part: number;
  readonly parts: number;
}

/** A journal, and what it makes of its trail. */
export interface RecordedJournal {
  readonly runId: string;
  readonly records: readonly JournalRecord[];
  readonly projection: TrailProjection;
  /** Another version wrote the trail, and may have told of the same records in another way. */
  readonly isForeign: boolean;
}

/** The same, looked at once for all lines. */
export interface NamedJournal extends RecordedJournal {
  /** What every line must call the workflow; undefined where it may have had more than one name. */
  readonly workflowName: string | undefined;
}

/** Every line begins like this; one that does and is no JSON was torn by a crash. */
const LINE_START = '{"event":"';

/** The place of one line of a trail; `torn`, or what is wrong with it, in words. */
export function checkLine(text: string, journal: NamedJournal): LinePlace | 'torn' | (string & {}) {
  const line = parseLine(text);
  if (!line) return text.startsWith(LINE_START.slice(0, text.length)) ? 'torn' : 'is not JSON';
  if (line.execution_id !== journal.runId) return `is about another run (${String(line.execution_id)})`;
  const { seq, part = 1, parts = 1 } = line;
  const record = typeof seq === 'number' ? journal.records[seq - 1] : undefined;
  if (!record) return `names record ${String(seq)}, which the journal does not hold`;
  const place = { seq: record.seq, part: Number(part), parts: Number(parts) };
  return contradiction(line, record) ?? changedField(line, place, journal) ?? place;
}

/** What the line claims and the record denies. */
function contradiction(line: JsonObject, record: JournalRecord): string | undefined {
  const { event, timestamp, status } = line;
  const { seq, type } = record;
  if (!EVENT_SOURCES.get(String(event))?.includes(type)) {
    return `says ${String(event)} about record ${seq}, which is ${type}`;
  }
  if (Date.parse(String(timestamp)) !== record.at) return `gives record ${seq} another time`;
  if (record.type !== 'outcome' || record.kind !== 'call') return undefined;
  const { result } = record.value as { readonly result?: { readonly success?: boolean } };
  return (status === 'success') === result?.success ? undefined : `gives record ${seq} another outcome`;
}

/** Where the line says another thing than the journal makes of the record. */
function changedField(
  line: JsonObject,
  { seq, part }: LinePlace,
  { projection, isForeign, workflowName: name }: NamedJournal,
): string | undefined {
  if (name !== undefined && line.workflow_name !== name) return `gives the workflow another name`;
  const candidates = projection.linesOf(seq, part, originOf(line));
  if (candidates.length === 0) {
    return isForeign ? undefined : `is part ${part} of record ${seq}, which has no such part`;
  }
  const { hasSecrets } = projection;
  const differences = candidates.map((one) => differenceBetween(line, one, { hasSecrets, isForeign }));
  if (differences.includes(undefined)) return undefined;
  return `was changed: its ${differences[0]} is not what record ${seq} says`;
}

/** Nobody but the line itself says this. */
function originOf({ user, hostname, workflow_name: workflowName }: JsonObject) {
  return { user: textOf(user), hostname: textOf(hostname), workflowName: textOf(workflowName) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A resumed run can go on with a changed file: then nobody knows. */
export function workflowNameIn(records: readonly JournalRecord[]): string | undefined {
  const [started] = records;
  if (started?.type !== 'run-started' || records.some(({ type }) => type === 'run-resumed')) return undefined;
  const { name } = started.workflow;
  return typeof name === 'string' && !name.includes('[secret ') ? name : undefined;
}

function parseLine(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
