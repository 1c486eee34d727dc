import type { JournalRecord } from '../../../domain/journal.js';
import { isJsonObject, type JsonObject } from '../../../domain/json.js';
import { EVENT_SOURCES } from './trail-rules.js';

/** Which record a line is about, and which of the record's lines it is. */
export interface LinePlace {
  readonly seq: number;
  readonly part: number;
  readonly parts: number;
}

/** Every line begins like this; one that does and is no JSON was torn by a crash. */
const LINE_START = '{"event":"';

/** The place of one line of a trail; `torn`, or what is wrong with it, in words. */
export function checkLine(
  text: string,
  records: readonly JournalRecord[],
  runId: string,
): LinePlace | 'torn' | (string & {}) {
  const line = parseLine(text);
  if (!line) return text.startsWith(LINE_START.slice(0, text.length)) ? 'torn' : 'is not JSON';
  if (line.execution_id !== runId) return `is about another run (${String(line.execution_id)})`;
  const { seq, part = 1, parts = 1 } = line;
  const record = typeof seq === 'number' ? records[seq - 1] : undefined;
  if (!record) return `names record ${String(seq)}, which the journal does not hold`;
  return contradiction(line, record) ?? { seq: record.seq, part: Number(part), parts: Number(parts) };
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

function parseLine(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
