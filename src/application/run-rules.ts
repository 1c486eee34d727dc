import type { ApprovalDecision, RunRule } from '../domain/approval.js';
import type { ReviewInput } from '../domain/effect.js';
import type { JournalRecord } from '../domain/journal.js';

/** What stands in the record for a secret would be a wildcard in a pattern. */
const SECRET = /\[secret /;

/** The rules that people gave for the rest of a run, as its records have them. */
export function runRulesOf(records: readonly JournalRecord[]): readonly RunRule[] {
  const asked = new Map(records.flatMap(reviewedTools));
  return records.flatMap((record) => {
    if (record.type !== 'outcome' || record.kind !== 'review') return [];
    const tool = asked.get(record.id);
    const rule = givenRule(record.value as unknown as ApprovalDecision);
    return tool !== undefined && rule ? [{ tool, rule }] : [];
  });
}

function reviewedTools(record: JournalRecord): readonly (readonly [id: string, tool: string])[] {
  if (record.type !== 'intent') return [];
  return record.effects
    .filter(({ kind }) => kind === 'review')
    .map(({ id, input }) => [id, (input as unknown as ReviewInput).plan.tool]);
}

function givenRule(decision: ApprovalDecision): RunRule['rule'] | undefined {
  if (decision.kind !== 'approved' || decision.scope !== 'run' || !decision.rule) return undefined;
  return SECRET.test(JSON.stringify(decision.rule)) ? undefined : decision.rule;
}
