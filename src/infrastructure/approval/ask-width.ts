import type { ApprovalDecision } from '../../domain/approval.js';
import { toVisible } from '../../domain/visible-text.js';
import { answerOf, listOf, widthChoices } from './answers.js';
import type { Question } from './ask-on-terminal.js';
import * as decisions from './decisions.js';
import { describeRule } from './suggest-rule.js';
import type { Terminal } from './terminal.js';
import { textBlock } from './text-block.js';

const UNTIL = {
  run: 'until this run ends',
  always: 'in every run in this workspace, until it is revoked',
} as const;

/** How much a lasting yes is for. A rule is shown word for word before it can be chosen. */
export async function askWidth(
  terminal: Terminal,
  { request, rule }: Question,
  scope: 'run' | 'always',
): Promise<ApprovalDecision | 'show-again'> {
  const { planHash, plan } = request;
  if (!rule) return decisions.approved(planHash, { scope });
  const words = textBlock([{ mark: '', text: describeRule(rule) }], { ...terminal.size, whole: true });
  terminal.write(`\n\n  Without asking again, ${UNTIL[scope]}.\n  The rule:\n${words.join('\n')}\n`);
  const choices = widthChoices(toVisible(plan.tool));
  const typed = await terminal.ask(listOf(choices));
  if (typed === 'never-silent') return decisions.neverSilent();
  if (typed === 'end') return decisions.ended();
  const answer = answerOf(typed, choices);
  switch (answer) {
    case 'call':
      return decisions.approved(planHash, { scope });
    case 'rule':
      return decisions.approved(planHash, { scope, rule });
    case 'suspend':
      await terminal.suspend();
      return 'show-again';
    case 'interrupt':
      return decisions.interrupted();
    case 'deny':
      return decisions.denied();
    default:
      throw answer satisfies never;
  }
}
