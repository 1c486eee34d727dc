import type { JournalRecord } from '../../../domain/journal.js';

type RecordType = JournalRecord['type'];

/** Which records an audit event can be about. */
export const EVENT_SOURCES: ReadonlyMap<string, readonly RecordType[]> = new Map<
  string,
  readonly RecordType[]
>([
  ['run.start', ['run-started']],
  ['run.resume', ['run-resumed']],
  ['run.suspend', ['run-ended']],
  ['run.end', ['run-ended']],
  ['step.start', ['step-started']],
  ['step.end', ['step-ended']],
  ['turn', ['outcome']],
  ['user.message', ['outcome']],
  ['summary', ['outcome']],
  ['agent.session', ['outcome']],
  ['agent.warning', ['outcome']],
  ['approval.asked', ['intent']],
  ['approval.answered', ['outcome', 'signal']],
  ['process.start', ['process']],
  ['signal', ['signal']],
  ['tool.call', ['intent']],
  ['tool.result', ['outcome', 'signal']],
  ['tool.denied', ['outcome', 'signal']],
  ['tool.bypassed', ['outcome']],
  ['tool.skipped', ['intent', 'step-ended', 'run-ended']],
]);

/** Whether an auditor must see a record: all but those that only read the clock or ask a model. */
export function needsLine(record: JournalRecord): boolean {
  switch (record.type) {
    case 'intent':
      return record.effects.some(({ kind }) => kind === 'call' || kind === 'review');
    case 'outcome':
      return record.kind !== 'begin' && record.kind !== 'prepare';
    default:
      return true;
  }
}
