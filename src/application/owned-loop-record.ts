import type { NoticeInput } from '../domain/effect.js';
import type { JournalRecord } from '../domain/journal.js';
import { placesTaken } from './outside-call.js';

/** What earlier processes recorded of a step's agent. */
export function noticesOf(records: readonly JournalRecord[], step: string): readonly NoticeInput[] {
  const isOfStep = (id: string): boolean => /^\d+\/notice$/.test(id.slice(step.length + 1));
  return records.flatMap((record) =>
    record.type === 'outcome' &&
    record.kind === 'notice' &&
    record.id.startsWith(`${step}/`) &&
    isOfStep(record.id)
      ? [record.value as unknown as NoticeInput]
      : [],
  );
}

/** The places of the calls that were made since an effect was announced. */
export function callsSince(
  records: readonly JournalRecord[],
  effectId: string,
  step: string,
): readonly number[] {
  const start = records.findIndex(
    (record) => record.type === 'intent' && record.effects.some(({ id }) => id === effectId),
  );
  return start < 0 ? [] : placesTaken({ records: records.slice(start) }, step);
}

/** The turn that was announced last; nothing has that id when none was. */
export function lastTurn(records: readonly JournalRecord[], step: string): string {
  const isTurn = (id: string): boolean =>
    id.startsWith(`${step}/`) && /^\d+\/turn$/.test(id.slice(step.length + 1));
  const ids = records.flatMap((record) =>
    record.type === 'intent' ? record.effects.flatMap(({ id }) => (isTurn(id) ? [id] : [])) : [],
  );
  return ids.at(-1) ?? '';
}
