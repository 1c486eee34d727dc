import type { ApprovalDecision } from '../domain/approval.js';
import type { PreparedCall } from '../domain/effect.js';
import type { ErrorCode, Failure } from '../domain/errors.js';
import { failedResult } from '../domain/tool-result.js';
import { type CallBatch, callEffect, effectId, type PlacedCall, type SettledCall } from './call-batch.js';
import { EffectPendingError } from './effect-performer.js';
import { marked } from './events.js';

type Reviewable = Extract<PreparedCall, { verdict: 'run' | 'review' }>;

export interface SettledBatch {
  readonly settled: readonly SettledCall[];
  /** Set when a person, or a cancel, ended the step while calls were being decided. */
  readonly stop?: 'aborted' | 'cancelled';
}

/** Decides every call of a batch, asking about one at a time. No call runs before the last is decided. */
export async function settleCalls(batch: CallBatch, calls: readonly PreparedCall[]): Promise<SettledBatch> {
  const settled: SettledCall[] = [];
  for (const [index, prepared] of calls.entries()) {
    const settling = batch.isCancelled() ? 'cancelled' : settleCall(batch, { prepared, index });
    // Most calls need nobody's word, and awaiting none of them keeps those cheap.
    const next = settling instanceof Promise ? await settling : settling;
    if (typeof next === 'string') return withdrawn(settled, calls, next);
    settled.push(next);
  }
  return { settled };
}

/** A person who aborts means the whole batch: what was already approved is not run either. */
function withdrawn(
  settled: readonly SettledCall[],
  calls: readonly PreparedCall[],
  stop: 'aborted' | 'cancelled',
): SettledBatch {
  const all = calls.map((prepared, index) => {
    const before = settled[index];
    return before?.kind === 'refused' ? before : refused(prepared, notRun(stop));
  });
  return { settled: all, stop };
}

type Settling = SettledCall | 'aborted' | 'cancelled';

function settleCall(batch: CallBatch, { prepared, index }: PlacedCall): Settling | Promise<Settling> {
  const barrier = barred(batch, index);
  if (barrier) return refused(prepared, barrier);
  if (prepared.verdict === 'refuse') return refused(prepared, prepared.failure);
  if (prepared.verdict === 'run') return toRun(batch, index, prepared);
  if (batch.approvedPlans.has(prepared.planHash)) {
    return toRun(batch, index, { ...prepared, approval: 'remembered' });
  }
  return askAbout(batch, index, prepared);
}

/** Calls that no decision can save: past the limit, or after a budget was spent. */
function barred(batch: CallBatch, index: number): Failure | undefined {
  if (batch.spent) {
    const message = `Not run: the step has reached its limit (${batch.spent}).`;
    return { code: 'EXECUTION.CALL.LIMIT_REACHED', message };
  }
  if (index < batch.runnable) return undefined;
  const message = `Not run: this step may make ${batch.limit} calls (max_calls), and they are used up.`;
  return { code: 'EXECUTION.CALL.MAX_CALLS', message };
}

async function askAbout(batch: CallBatch, index: number, prepared: Reviewable): Promise<Settling> {
  const { call, planHash, plan, reason } = prepared;
  const { step, emit } = batch;
  if (!plan || !reason) return refused(prepared, staleApproval());
  emit({ type: 'approval-ask', step, callId: call.id, plan, planHash, reason });
  const id = effectId(batch, index, 'review');
  const input = { callId: call.id, plan, planHash, reason };
  try {
    const { value, replayed } = await batch.run.task({ id, kind: 'review', input });
    emit(marked({ type: 'approval-answer', step, callId: call.id, decision: value }, replayed));
    return await applyDecision(batch, { prepared, index }, value);
  } catch (error) {
    if (error instanceof EffectPendingError && batch.isCancelled()) return 'cancelled';
    throw error;
  }
}

function applyDecision(
  batch: CallBatch,
  placed: PlacedCall & { readonly prepared: Reviewable },
  decision: ApprovalDecision,
): SettledCall | 'aborted' | Promise<SettledCall> {
  const { prepared, index } = placed;
  switch (decision.kind) {
    case 'denied': {
      const code: ErrorCode = decision.unavailable
        ? 'EXECUTION.APPROVAL.UNAVAILABLE'
        : 'EXECUTION.APPROVAL.DENIED';
      return refused(prepared, { code, message: `Denied: ${decision.reason}` });
    }
    case 'abort':
      return 'aborted';
    case 'approved':
      // An answer for another plan approves nothing, however it got here.
      if (decision.planHash !== prepared.planHash) return refused(prepared, staleApproval());
      if (decision.arguments) return applyEdit(batch, placed, decision);
      if (decision.scope !== 'once') batch.approvedPlans.add(prepared.planHash);
      return toRun(batch, index, { ...prepared, approval: decision.source });
    case 'pending':
      throw new EffectPendingError(effectId(batch, index, 'review'));
    default:
      throw decision satisfies never;
  }
}

/** Arguments that a person changed are validated, planned and decided again; the model is told of both. */
async function applyEdit(
  batch: CallBatch,
  { prepared, index }: PlacedCall & { readonly prepared: Reviewable },
  decision: Extract<ApprovalDecision, { kind: 'approved' }>,
): Promise<SettledCall> {
  const { call } = prepared;
  const { value: edited } = await batch.run.task({
    id: effectId(batch, index, 'prepare'),
    kind: 'prepare',
    input: { call: { id: call.id, name: call.tool, arguments: decision.arguments ?? {} } },
  });
  if (edited.verdict === 'refuse') return refused(edited, edited.failure);
  const note = `[The arguments were changed by the person who approved the call, to: ${JSON.stringify(edited.call.arguments)}]`;
  return { ...toRun(batch, index, { ...edited, approval: decision.source }), note };
}

function toRun(batch: CallBatch, index: number, prepared: Reviewable): Extract<SettledCall, { kind: 'run' }> {
  return { kind: 'run', call: prepared.call, effect: callEffect(batch, index, prepared) };
}

function refused(prepared: PreparedCall, failure: Failure): SettledCall {
  return { kind: 'refused', call: prepared.call, result: failedResult(failure) };
}

function notRun(stop: 'aborted' | 'cancelled'): Failure {
  return { code: 'EXECUTION.CALL.CANCELLED', message: `Not run: the run was ${stop}.` };
}

function staleApproval(): Failure {
  const message = 'Not run: what was approved is not what would run now. Ask again.';
  return { code: 'EXECUTION.APPROVAL.STALE', message };
}
