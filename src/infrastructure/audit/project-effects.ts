import { type ApprovalDecision, deniedCode } from '../../domain/approval.js';
import type {
  CallInput,
  CallOutcome,
  ListenOutcome,
  NoticeInput,
  PreparedCall,
  ReviewInput,
  SummaryOutcome,
  TurnOutcome,
} from '../../domain/effect.js';
import type { Enforcement } from '../../domain/enforcement.js';
import type { Failure } from '../../domain/errors.js';
import type { Json, JsonObject } from '../../domain/json.js';
import { usageToJson } from '../../domain/message.js';
import { failedResult, isDenied, type ToolResult } from '../../domain/tool-result.js';
import { type AuditEvent, auditEvent } from './audit-event.js';
import { type AuditState, type OpenCall, position, skippedCalls, stepOf } from './audit-state.js';

/** A new turn also means that whatever the turn before asked for is settled by now. */
export function turnStarted(
  id: string,
  begun: { readonly turn: number; readonly at: number },
  state: AuditState,
): readonly AuditEvent[] {
  state.turns.set(id, { ...begun });
  return skippedCalls(state);
}

export function turnEnded(id: string, outcome: TurnOutcome, state: AuditState): readonly AuditEvent[] {
  const begun = state.turns.get(id);
  state.turns.delete(id);
  const step = stepOf(id, 'turn');
  const turn = auditEvent('turn', {
    step,
    turn: begun?.turn,
    status: outcome.failure ? 'failure' : 'success',
    duration_ms: begun && outcome.at - begun.at,
    error: outcome.failure && failureFields(outcome.failure),
    calls: outcome.calls.map(({ call }) => ({ call_id: call.id, tool: call.tool })),
    usage: outcome.usage && usageToJson(outcome.usage),
  });
  const refused = outcome.calls.flatMap((prepared, index) =>
    noteCall(`${position(id)}/${index + 1}`, step, prepared, state),
  );
  return [turn, ...refused];
}

/** After a person changed the arguments: the call as it is now, or why it may not run. */
export function prepareEnded(id: string, prepared: PreparedCall, state: AuditState): readonly AuditEvent[] {
  return noteCall(position(id), stepOf(id, 'prepare'), prepared, state);
}

export function reviewAsked(id: string, input: ReviewInput, state: AuditState): readonly AuditEvent[] {
  state.reviews.add(id);
  const { callId, plan, planHash, reason } = input;
  return [
    auditEvent('approval.asked', {
      step: stepOf(id, 'review'),
      call_id: callId,
      tool: plan.tool,
      reason: { ...reason },
      action: { ...plan.action },
      plan_hash: planHash,
    }),
  ];
}

export function reviewEnded(
  id: string,
  decision: ApprovalDecision,
  state: AuditState,
): readonly AuditEvent[] {
  state.reviews.delete(id);
  const call = state.calls.get(position(id));
  const answered = auditEvent('approval.answered', {
    step: stepOf(id, 'review'),
    call_id: call?.callId,
    tool: call?.tool,
    ...decisionFields(decision),
  });
  // A call that began is in doubt: its own outcome says what became of it.
  if (decision.kind !== 'denied' || !call || call.begun) return [answered];
  state.calls.delete(position(id));
  const failure = { code: deniedCode(decision), message: decision.reason };
  return [answered, answerEvent(call, failedResult(failure), call.arguments)];
}

export function callStarted(id: string, input: CallInput, state: AuditState): readonly AuditEvent[] {
  const { callId, tool, arguments: args, approval, planHash } = input;
  const step = stepOf(id, 'call');
  state.calls.set(position(id), { step, callId, tool, arguments: args, begun: true });
  return [
    auditEvent('tool.call', { step, call_id: callId, tool, arguments: args, approval, plan_hash: planHash }),
  ];
}

export function callEnded(id: string, { result }: CallOutcome, state: AuditState): readonly AuditEvent[] {
  const call = state.calls.get(position(id));
  state.calls.delete(position(id));
  return [answerEvent(call ?? { step: stepOf(id, 'call') }, result)];
}

export function heard(id: string, { text, failure }: ListenOutcome): readonly AuditEvent[] {
  const error = failure && failureFields(failure);
  return [auditEvent('user.message', { step: stepOf(id, 'listen'), text, error })];
}

export function summarized(id: string, { text, failure, usage }: SummaryOutcome): readonly AuditEvent[] {
  return [
    auditEvent('summary', {
      step: stepOf(id, 'summary'),
      status: failure ? 'failure' : 'success',
      text,
      error: failure && failureFields(failure),
      usage: usage && usageToJson(usage),
    }),
  ];
}

export function noticed(id: string, { notice, turn }: NoticeInput): readonly AuditEvent[] {
  const where = { step: stepOf(id, 'notice'), turn };
  switch (notice.kind) {
    case 'session':
      return [auditEvent('agent.session', { ...where, session: notice.id })];
    case 'bypassed':
      return [auditEvent('tool.bypassed', { ...where, tool: notice.tool, arguments: notice.arguments })];
    case 'warning':
      return [auditEvent('agent.warning', { ...where, message: notice.message })];
    default:
      throw notice satisfies never;
  }
}

/** Remembers a call that may run; answers for one that was refused, with the arguments nobody else will log. */
function noteCall(key: string, step: string, prepared: PreparedCall, state: AuditState): AuditEvent[] {
  const { id: callId, tool, arguments: args } = prepared.call;
  const call = { step, callId, tool, arguments: args, begun: false };
  if (prepared.verdict === 'refuse') {
    state.calls.delete(key);
    return [answerEvent(call, failedResult(prepared.failure), args)];
  }
  state.calls.set(key, call);
  return [];
}

function answerEvent(
  call: Pick<OpenCall, 'step'> & Partial<OpenCall>,
  result: ToolResult,
  args?: JsonObject,
): AuditEvent {
  const denied = isDenied(result);
  return auditEvent(denied ? 'tool.denied' : 'tool.result', {
    step: call.step,
    call_id: call.callId,
    tool: call.tool,
    arguments: args,
    status: result.success ? 'success' : denied ? 'denied' : 'failure',
    duration_ms: result.durationMs,
    error: result.error && failureFields(result.error),
    // What the model reads of a refusal is the refusal.
    output: result.output === result.error?.message ? undefined : result.output,
    output_bytes: result.truncated?.totalBytes,
    approval: result.approval,
    enforcement: denied ? undefined : enforcementFields(result.enforcement),
  });
}

function decisionFields(decision: ApprovalDecision): Record<string, Json | undefined> {
  switch (decision.kind) {
    case 'approved': {
      const { scope, source, planHash, arguments: args, rule, by } = decision;
      const shown = rule as Json | undefined;
      return { decision: 'approved', scope, source, plan_hash: planHash, arguments: args, rule: shown, by };
    }
    case 'denied': {
      const { reason, unavailable, timedOut, by } = decision;
      return { decision: 'denied', reason, unavailable, timed_out: timedOut, by };
    }
    case 'abort':
      return { decision: 'abort', reason: decision.reason, by: decision.by };
    case 'pending':
      return { decision: 'pending' };
    default:
      throw decision satisfies never;
  }
}

function failureFields({ code, message }: Failure): JsonObject {
  return { code, message };
}

function enforcementFields(held: Enforcement): JsonObject {
  const { backend, exec, network, memory, pids, env } = held;
  const files = { fs_read: held.fsRead, fs_write: held.fsWrite };
  return { backend, ...files, exec, network, memory, pids, kill_tree: held.killTree, env };
}
