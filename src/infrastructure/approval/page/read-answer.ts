import type { ApprovalDecision, RuleCondition } from '../../../domain/approval.js';
import {
  type AnswerName,
  type ApprovalAnswer,
  answersTo,
  decisionOf,
} from '../../../domain/approval-answer.js';
import { isJsonObject, isShallow, type Json, type JsonObject } from '../../../domain/json.js';
import type { QueuedQuestion } from '../queue/queue-approval-gate.js';
import { suggestRule } from '../suggest-rule.js';
import { HttpRefusal } from './http-refusal.js';

export interface ReadAnswer {
  readonly planHash: string;
  readonly decision: ApprovalDecision;
}

const KEYS = new Set(['plan_hash', 'answer', 'rule', 'arguments', 'reason', 'by']);
const LONGEST_REASON = 2000;
const LONGEST_NAME = 100;

/** What somebody answered, from the body of their request. Anything unclear is refused, and answers nothing. */
export function readAnswer(body: Json, { request }: QueuedQuestion): ReadAnswer {
  if (!isJsonObject(body)) throw unclear('an answer is a JSON object');
  const unknown = Object.keys(body).filter((key) => !KEYS.has(key));
  if (unknown.length > 0) throw unclear(`an answer has no ${unknown.slice(0, 5).join(', ')}`);
  const { plan_hash: planHash } = body;
  if (typeof planHash !== 'string') throw unclear('plan_hash must say which plan was shown');
  const by = textOf(body, 'by', LONGEST_NAME);
  const rule = body.rule === true ? suggestRule(request.plan) : undefined;
  const answer = answerOf(body, rule);
  if (!answersTo(request).includes(answer.answer)) {
    throw unclear(`this question has no answer "${answer.answer}"`);
  }
  return { planHash, decision: decisionOf(answer, { planHash, ...(by ? { by } : {}) }) };
}

function answerOf(body: JsonObject, rule: RuleCondition | undefined): ApprovalAnswer {
  const answer = body.answer as AnswerName;
  if (body.rule !== undefined) assertRule(body, rule);
  if ((answer === 'edit') !== (body.arguments !== undefined)) {
    throw unclear('arguments belong to the answer "edit", and to no other');
  }
  switch (answer) {
    case 'once':
    case 'run':
    case 'always':
      return { answer, ...(rule ? { rule } : {}) };
    case 'edit':
      if (!isJsonObject(body.arguments)) throw unclear('arguments must be a JSON object');
      if (!isShallow(body.arguments)) throw unclear('arguments are nested too deep');
      return { answer, arguments: body.arguments };
    case 'deny':
    case 'abort': {
      const reason = textOf(body, 'reason', LONGEST_REASON);
      return { answer, ...(reason ? { reason } : {}) };
    }
    default:
      throw unclear('answer must be once, run, always, edit, deny or abort', answer satisfies never);
  }
}

/** Whoever asks for a rule must get it or hear that there is none: never something narrower or wider unsaid. */
function assertRule(body: JsonObject, rule: RuleCondition | undefined): void {
  if (typeof body.rule !== 'boolean') throw unclear('rule is true or false');
  if (!body.rule) return;
  if (body.answer !== 'run' && body.answer !== 'always') throw unclear('a rule holds for the run, or always');
  if (!rule) throw unclear('there is no rule for this call');
}

function textOf(body: JsonObject, key: string, longest: number): string | undefined {
  const value = body[key];
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value.length > longest) {
    throw unclear(`${key} is a text of at most ${longest} characters`);
  }
  return value.trim() || undefined;
}

function unclear(message: string, _never?: never): HttpRefusal {
  return new HttpRefusal(400, message);
}
