import type { ApprovalDecision, ApprovalRequest, RuleCondition } from '../../domain/approval.js';
import { whyNotLasting } from '../../domain/rules/lasting-answer.js';
import { toVisible } from '../../domain/visible-text.js';
import type { ReviewContext } from '../../ports/approval-gate.js';
import { type Answer, answerOf, choicesFor, listOf } from './answers.js';
import { askWidth } from './ask-width.js';
import * as decisions from './decisions.js';
import { editArguments } from './edit-arguments.js';
import { type ApprovalPreview, previewOf } from './preview.js';
import { readLine } from './read-line.js';
import { renderPreview } from './render-preview.js';
import { suggestRule } from './suggest-rule.js';
import type { Terminal, Typed } from './terminal.js';
import { viewAll } from './view-all.js';

export interface Question {
  readonly request: ApprovalRequest;
  readonly preview: ApprovalPreview;
  readonly rule: RuleCondition | undefined;
}

/** A decision, or what is shown before the question is put once more. */
type Response = ApprovalDecision | 'ask-again' | 'show-again';

/** Shows one request and takes one answer. There is no default: a key that is not on the list denies. */
export async function askOnTerminal(
  terminal: Terminal,
  request: ApprovalRequest,
  context: ReviewContext,
): Promise<ApprovalDecision> {
  const preview = await previewOf(request, context);
  const question: Question = { request, preview, rule: suggestRule(request.plan) };
  let response: Response = 'show-again';
  do {
    if (response === 'show-again') terminal.write(renderPreview(preview, { ...terminal.size, whole: false }));
    else terminal.write(`\n${toVisible(preview.question)}\n`);
    response = await askOnce(terminal, question);
  } while (typeof response === 'string');
  terminal.write(`${decisions.saidOf(response)}\n`);
  return response;
}

async function askOnce(terminal: Terminal, question: Question): Promise<Response> {
  const { request, rule } = question;
  const { reason, plan } = request;
  const why = whyNotLasting(plan);
  const choices = choicesFor({ reason, hasRule: rule !== undefined, mayLast: why === undefined });
  const note =
    why !== undefined && reason.kind === 'policy' ? `\n  (asked every time: ${toVisible(why)})` : '';
  const typed = await terminal.ask(`${note}${listOf(choices)}`);
  if (typed === 'never-silent') return decisions.neverSilent();
  return respond(terminal, question, { typed, answer: answerOf(typed, choices) });
}

async function respond(
  terminal: Terminal,
  question: Question,
  { typed, answer }: { readonly typed: Typed; readonly answer: Answer },
): Promise<Response> {
  const { planHash, plan } = question.request;
  switch (answer) {
    case 'once':
      return decisions.approved(planHash, { scope: 'once' });
    case 'run':
    case 'always':
      return askWidth(terminal, question, answer);
    case 'edit':
      return editArguments(terminal, { planHash, arguments: plan.arguments });
    case 'view':
      await viewAll(terminal, question.preview);
      return 'ask-again';
    case 'suspend':
      await terminal.suspend();
      return 'show-again';
    case 'reason':
      return denyWithReason(terminal);
    case 'deny':
      return typed === 'end' ? decisions.ended() : decisions.denied();
    case 'abort':
      return decisions.stopped();
    case 'interrupt':
      return decisions.interrupted();
    default:
      throw answer satisfies never;
  }
}

async function denyWithReason(terminal: Terminal): Promise<ApprovalDecision> {
  terminal.write('\n  why not (Enter sends it to the agent)\n');
  const read = await readLine(terminal);
  if (read === 'interrupted') return decisions.interrupted();
  if (read === 'over' || read === 'given-up') return decisions.denied();
  return decisions.denied(read.line.trim() || undefined);
}
