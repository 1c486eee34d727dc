import type { ApprovalDecision } from '../../../domain/approval.js';
import { answersTo } from '../../../domain/approval-answer.js';
import type { JsonObject } from '../../../domain/json.js';
import type { CallPlan, PlannedAction } from '../../../domain/plan.js';
import { whyNotLasting } from '../../../domain/rules/lasting-answer.js';
import { escapeInvisibleJson, hasMixedScripts, toVisible } from '../../../domain/visible-text.js';
import { type ApprovalPreview, type PreviewSection, previewOf } from '../preview.js';
import { previewLines } from '../preview-lines.js';
import type { QueuedQuestion, SettledQuestion } from '../queue/queue-approval-gate.js';
import { describeRule, suggestRule } from '../suggest-rule.js';
import { visibleLine } from '../text-block.js';

/** A question in one line of the list: whatever its plan holds, this is short. */
export function questionToJson({ id, request, context, askedAt }: QueuedQuestion): JsonObject {
  const { runId, step, callId, agent, deadline } = context;
  return {
    id,
    run_id: runId,
    step: toVisible(step),
    call_id: toVisible(callId),
    agent: toVisible(agent),
    tool: toVisible(request.plan.tool),
    plan_hash: request.planHash,
    what: shortened(whatOf(request.plan)),
    why: shortened(request.reason.text),
    asked_at: askedAt,
    ...(deadline === undefined ? {} : { deadline }),
  };
}

/** All that a person needs to decide, every text of it made visible, made when somebody looks. */
export async function detailsToJson(question: QueuedQuestion): Promise<JsonObject> {
  const { request, context } = question;
  const { plan, reason } = request;
  const preview = await previewOf(request, context);
  const answers = answersTo(request);
  const rule = answers.includes('always') ? suggestRule(plan) : undefined;
  const asksAlways = whyNotLasting(plan);
  return {
    ...questionToJson(question),
    question: toVisible(preview.question),
    why: toVisible(reason.text),
    why_kind: reason.kind,
    sections: sectionsOf(preview),
    answers: [...answers],
    ...(rule ? { rule: toVisible(describeRule(rule)) } : {}),
    ...(asksAlways ? { asks_always: toVisible(asksAlways) } : {}),
    arguments: editable(plan),
  };
}

export function settledToJson({ id, context, tool, decision }: SettledQuestion): JsonObject {
  const by = decision && 'by' in decision ? decision.by : undefined;
  return {
    id,
    tool: toVisible(tool),
    call_id: toVisible(context.callId),
    answer: decision ? answerName(decision) : 'withdrawn',
    ...(by === undefined ? {} : { by: toVisible(by) }),
  };
}

function answerName(decision: ApprovalDecision): string {
  if (decision.kind !== 'approved') return decision.kind === 'denied' ? 'deny' : decision.kind;
  return decision.arguments ? 'edit' : decision.scope;
}

function sectionsOf({ sections }: ApprovalPreview): JsonObject[] {
  return sections.map((section) => ({ label: toVisible(section.label), ...linesOf(section) }));
}

function linesOf(section: PreviewSection): JsonObject {
  const lines = previewLines(section);
  return {
    lines: lines.map(({ mark, text, change }) => ({
      mark,
      text: visibleLine(text),
      ...(change ? { change } : {}),
    })),
    ...(lines.some(({ text }) => hasMixedScripts(text)) ? { mixed_scripts: true } : {}),
  };
}

/** JSON that means the same when it comes back, with nothing in it that cannot be seen. */
function editable({ arguments: args }: CallPlan): string {
  return JSON.stringify(args, null, 2).split('\n').map(escapeInvisibleJson).join('\n');
}

function whatOf({ action, arguments: args }: CallPlan): string {
  return actionLine(action) ?? JSON.stringify(args);
}

function actionLine(action: PlannedAction): string | undefined {
  switch (action.kind) {
    case 'process':
      return action.script ?? action.argv.join(' ');
    case 'read-file':
      return `reads ${action.path}`;
    case 'write-file':
      return `${action.append ? 'appends to' : 'writes'} ${action.path}`;
    case 'http':
      return `${action.method} ${action.url}`;
    case 'handler':
      return undefined;
    default:
      throw action satisfies never;
  }
}

const HEAD = 140;
const TAIL = 60;

/** The end of a command matters as much as its beginning. */
function shortened(text: string): string {
  if (text.length <= HEAD + TAIL) return toVisible(text);
  return `${toVisible(text.slice(0, HEAD))} … ${toVisible(text.slice(-TAIL))}`;
}
