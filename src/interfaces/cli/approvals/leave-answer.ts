import { setTimeout as delay } from 'node:timers/promises';
import type { WaitingReview } from '../../../application/fold-run.js';
import type { ApprovalDecision } from '../../../domain/approval.js';
import { ToolgateError } from '../../../domain/errors.js';
import type { JournalRecord } from '../../../domain/journal.js';
import { isJsonObject, type Json } from '../../../domain/json.js';
import type { RunRecords } from './open-questions.js';

/** What became of an answer: a living run has taken it or will, or it is kept until the run is resumed. */
export type Delivery = 'taken' | 'handed-over' | 'kept';

const LOOKS = 50;
const LOOK_AGAIN_MS = 100;

/** Leaves an answer for a run and, if a process works on it, sees whether that process takes it. */
export async function leaveAnswer(
  records: RunRecords,
  runId: string,
  { question, decision }: { readonly question: WaitingReview; readonly decision: ApprovalDecision },
): Promise<Delivery> {
  const { journal, inbox } = records;
  assertInTime(question);
  if ((await inbox.leave({ runId, ...question }, decision)) === 'taken') throw answered(question.callId);
  for (let look = 0; look < LOOKS; look += 1) {
    // In this order: a process that took the answer may have come to its end by now.
    const { isHeld } = await journal.inspect(runId);
    const outcome = outcomeOf(await journal.read(runId), question.effectId);
    if (outcome !== undefined) return checkOwn(outcome, { question, decision });
    if (!isHeld) return 'kept';
    await delay(LOOK_AGAIN_MS);
  }
  // Alive, and busy with another question.
  return 'handed-over';
}

/** The run would deny the call whatever the answer: better to hear it now. */
function assertInTime({ callId, deadline = Number.POSITIVE_INFINITY }: WaitingReview): void {
  if (Date.now() < deadline) return;
  const message = `The time to answer "${callId}" was over at ${new Date(deadline).toISOString()} (approval_timeout)`;
  throw new ToolgateError('USER.APPROVAL.STALE', message);
}

function outcomeOf(records: readonly JournalRecord[], id: string): Json | undefined {
  const record = records.find((each) => each.type === 'outcome' && each.id === id);
  return record?.type === 'outcome' ? record.value : undefined;
}

/** Somebody at the run's own terminal or page may have been quicker. */
function checkOwn(
  outcome: Json,
  { question, decision }: { readonly question: WaitingReview; readonly decision: ApprovalDecision },
): Delivery {
  const by = 'by' in decision ? decision.by : undefined;
  if (isJsonObject(outcome) && outcome.kind === decision.kind && outcome.by === by) return 'taken';
  throw answered(question.callId);
}

function answered(callId: string): ToolgateError {
  const message = `Somebody else has answered "${callId}" already, and the first answer counts`;
  return new ToolgateError('USER.APPROVAL.ANSWERED', message);
}
