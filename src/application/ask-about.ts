import { type ApprovalDecision, deniedCode } from '../domain/approval.js';
import type { PreparedCall } from '../domain/effect.js';
import type { Failure } from '../domain/errors.js';
import type { JsonObject } from '../domain/json.js';
import {
  type CallBatch,
  effectId,
  type PlannedVerdict,
  refused,
  type SettledCall,
  type Settling,
  toRun,
} from './call-batch.js';
import { EffectPendingError } from './effect-performer.js';
import { marked } from './events.js';

/** A call that somebody is asked about; `round` counts the questions, since an edited call is another question. */
interface Asked {
  readonly prepared: PlannedVerdict;
  readonly index: number;
  readonly round?: number;
  /** What the model wrote, where a person has changed it. */
  readonly original?: JsonObject;
}

type Approved = Extract<ApprovalDecision, { kind: 'approved' }>;

/** Whoever edits a call this often is not going to be content with it. */
const MOST_ROUNDS = 10;

/** Asks about one call and does what was answered. What runs is what was shown in the last question, or nothing. */
export async function askAbout(batch: CallBatch, asked: Asked): Promise<Settling> {
  const { prepared, round = 1 } = asked;
  const { call, planHash, plan, reason } = prepared;
  const { step, emit } = batch;
  if (!plan || !reason) return refused(prepared, STALE);
  if (round > MOST_ROUNDS) return refused(prepared, CHANGED_TOO_OFTEN);
  emit({ type: 'approval-ask', step, callId: call.id, plan, planHash, reason });
  const id = questionId(batch, asked);
  const deadline = batch.reviewDeadline === undefined ? {} : { deadline: batch.reviewDeadline };
  const input = { callId: call.id, plan, planHash, reason, ...deadline };
  try {
    const { value, replayed } = await batch.run.task({ id, kind: 'review', input });
    emit(marked({ type: 'approval-answer', step, callId: call.id, decision: value }, replayed));
    return await applyDecision(batch, asked, value);
  } catch (error) {
    if (error instanceof EffectPendingError && batch.isCancelled()) return 'cancelled';
    throw error;
  }
}

function questionId(batch: CallBatch, { index, round = 1 }: Asked): string {
  return effectId(batch, index, round === 1 ? 'review' : `review-${round}`);
}

function applyDecision(
  batch: CallBatch,
  asked: Asked,
  decision: ApprovalDecision,
): Settling | Promise<Settling> {
  const { prepared } = asked;
  switch (decision.kind) {
    case 'denied':
      return refused(prepared, { code: deniedCode(decision), message: `Denied: ${decision.reason}` });
    case 'abort':
      return 'aborted';
    case 'approved':
      // An answer for another plan approves nothing, however it got here.
      if (decision.planHash !== prepared.planHash) return refused(prepared, STALE);
      if (decision.arguments) return applyEdit(batch, asked, decision);
      if (decision.scope !== 'once') batch.approvedPlans.add(prepared.planHash);
      return approved(batch, asked, { ...prepared, approval: decision.source });
    case 'pending':
      throw new EffectPendingError(questionId(batch, asked));
    default:
      throw decision satisfies never;
  }
}

/**
 * Arguments that a person changed are validated, planned and decided again. Where the policy asks about the new call
 * too, that is another question: nobody has seen yet what it would really do.
 */
async function applyEdit(batch: CallBatch, asked: Asked, decision: Approved): Promise<Settling> {
  const { prepared, index, round = 1, original = prepared.call.arguments } = asked;
  const { value: edited } = await batch.run.task({
    id: effectId(batch, index, round === 1 ? 'prepare' : `prepare-${round}`),
    kind: 'prepare',
    input: { call: { id: prepared.call.id, name: prepared.call.tool, arguments: decision.arguments ?? {} } },
  });
  if (edited.verdict === 'refuse') return refused(edited, withNote(edited.failure, original, edited));
  const next = { ...asked, prepared: { ...edited, approval: decision.source }, original };
  if (edited.planHash === decision.planHash) return approved(batch, asked, next.prepared);
  if (edited.verdict === 'run') return approved(batch, next, next.prepared);
  return askAbout(batch, { ...next, round: round + 1 });
}

function approved(batch: CallBatch, { index, original }: Asked, prepared: PlannedVerdict): SettledCall {
  const run = toRun(batch, index, prepared);
  return original ? { ...run, note: editNote(original, prepared.call.arguments) } : run;
}

function withNote(failure: Failure, original: JsonObject, { call }: PreparedCall): Failure {
  return { ...failure, message: `${editNote(original, call.arguments)}\n${failure.message}` };
}

/** The model must know that what was answered is not what it wrote. */
function editNote(original: JsonObject, edited: JsonObject): string {
  return `[The person who was asked changed the arguments of this call from ${short(original)} to ${short(edited)}]`;
}

const LONGEST = 2000;

function short(args: JsonObject): string {
  const text = JSON.stringify(args);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${text.length} characters)`;
}

const STALE: Failure = {
  code: 'EXECUTION.APPROVAL.STALE',
  message: 'Not run: what was approved is not what would run now. Ask again.',
};

const CHANGED_TOO_OFTEN: Failure = {
  code: 'EXECUTION.APPROVAL.DENIED',
  message: `Denied: its arguments were changed ${MOST_ROUNDS} times and never approved as they were.`,
};
