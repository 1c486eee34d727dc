import type { RunEvent } from '../../../application/run-request.js';
import { resultToJson, stateToJson } from '../../../application/state-json.js';
import type { ApprovalDecision } from '../../../domain/approval.js';
import type { Json, JsonObject } from '../../../domain/json.js';
import { usageToJson } from '../../../domain/message.js';

/** An event as `stream-json` shows it: the same names in snake_case, and what a person or a model wrote as it is. */
export function eventToJson(event: RunEvent): JsonObject {
  const replayed = 'replayed' in event && event.replayed ? { replayed: true } : {};
  const step = 'step' in event ? { step: event.step } : {};
  return { type: event.type, ...step, ...fieldsOf(event), ...replayed };
}

function fieldsOf(event: RunEvent): JsonObject {
  switch (event.type) {
    case 'run-start':
      return { run_id: event.runId, workflow: event.workflow, resumed: event.resumed };
    case 'run-warning':
      return { message: event.message };
    case 'run-end':
      return { run_id: event.runId, status: event.status };
    case 'step-start':
      return {};
    case 'step-end':
      return { state: stateToJson(event.state) };
    case 'turn-start':
      return { turn: event.turn, offer_tools: event.offerTools };
    case 'text-delta':
      return { turn: event.turn, text: event.text };
    case 'turn-end': {
      const { turn, text, calls, usage } = event;
      return { turn, text, calls, ...(usage ? { usage: usageToJson(usage) } : {}) };
    }
    case 'input-ask':
      return { turn: event.turn, reply: event.reply };
    case 'input-answer':
      return { turn: event.turn, ...(event.text === undefined ? {} : { text: event.text }) };
    case 'context-cut':
      return { turn: event.turn, dropped: event.dropped, summarized: event.summarized };
    case 'agent-notice':
      return { turn: event.turn, notice: { ...event.notice } };
    default:
      return callFieldsOf(event);
  }
}

type CallEvent = Extract<RunEvent, { readonly callId: string }>;

function callFieldsOf(event: CallEvent): JsonObject {
  const call = { call_id: event.callId };
  switch (event.type) {
    case 'approval-ask': {
      const { plan, planHash, reason } = event;
      return { ...call, plan: plan as unknown as Json, plan_hash: planHash, reason: { ...reason } };
    }
    case 'approval-answer':
      return { ...call, decision: decisionToJson(event.decision) };
    case 'call-start':
      return { ...call, tool: event.tool, arguments: event.arguments };
    case 'call-log':
      return { ...call, message: event.message };
    case 'call-end':
      return { ...call, tool: event.tool, result: resultToJson(event.result) };
    default:
      throw event satisfies never;
  }
}

function decisionToJson(decision: ApprovalDecision): JsonObject {
  if (decision.kind !== 'approved') return { ...decision };
  const { kind, planHash, scope, source, arguments: changed } = decision;
  return { kind, plan_hash: planHash, scope, source, ...(changed ? { arguments: changed } : {}) };
}
