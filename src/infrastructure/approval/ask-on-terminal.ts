import type { ApprovalDecision, ApprovalRequest } from '../../domain/approval.js';
import type { ReviewContext } from '../../ports/approval-gate.js';
import { readLine } from './read-line.js';
import { renderRequest } from './render-request.js';
import type { Terminal, Typed } from './terminal.js';

export interface Question {
  readonly request: ApprovalRequest;
  readonly context: ReviewContext;
  readonly columns: number;
}

type Answer = 'once' | 'deny' | 'reason' | 'abort' | 'interrupt' | 'whole';

// A map, not an object: `constructor` can be pasted, and is a key of every object.
const KEYS: ReadonlyMap<string, Answer> = new Map([
  ['y', 'once'],
  ['1', 'once'],
  ['n', 'deny'],
  ['2', 'deny'],
  ['r', 'reason'],
  ['3', 'reason'],
  ['a', 'abort'],
  ['4', 'abort'],
  ['\x03', 'interrupt'],
  ['v', 'whole'],
  ['5', 'whole'],
]);

/** Shows one request and takes one answer. There is no default: a key that is not on the list denies. */
export async function askOnTerminal(terminal: Terminal, question: Question): Promise<ApprovalDecision> {
  const { request, context, columns } = question;
  for (let whole = false; ; whole = true) {
    const { text, isCut } = renderRequest(request, context, { columns, whole });
    terminal.write(text);
    // What was typed before all of it was on the screen is no answer to it.
    if (!(await terminal.discardTypeAhead())) return neverSilent();
    terminal.write(menu(request, isCut));
    const typed = await terminal.read();
    const answer = answerOf(typed, isCut);
    if (answer !== 'whole') return conclude(terminal, question, typed, answer);
  }
}

function menu({ reason }: ApprovalRequest, isCut: boolean): string {
  const lines = [
    `  1 y  ${reason.kind === 'in-doubt' ? 'yes, run it again' : 'yes, this once'}`,
    '  2 n  no',
    '  3 r  no, and tell the agent why',
    '  4 a  no, and stop the run',
    ...(isCut ? ['  5 v  show all of it first'] : []),
  ];
  return `${lines.join('\n')}\n  any other key means no > `;
}

/** One key and nothing else: what comes in one piece with it was pasted, or is another key's sequence. */
function answerOf(typed: Typed, isCut: boolean): Answer {
  if (typed === 'aborted' || typed === 'end') return 'deny';
  const answer = KEYS.get(typed.text.replace(/[\r\n]{1,2}$/, '').toLowerCase()) ?? 'deny';
  return answer === 'whole' && !isCut ? 'deny' : answer;
}

async function conclude(
  terminal: Terminal,
  { request }: Question,
  typed: Typed,
  answer: Exclude<Answer, 'whole'>,
): Promise<ApprovalDecision> {
  const decision =
    typed === 'end'
      ? ended()
      : answer === 'reason'
        ? await denyWithReason(terminal)
        : DECISIONS[answer](request.planHash);
  terminal.write(`${SAID[decision.kind]}\n`);
  return decision;
}

const SAID: Readonly<Record<ApprovalDecision['kind'], string>> = {
  approved: 'yes',
  denied: 'no',
  abort: 'no: the run is stopped',
  pending: 'later',
};

const DECISIONS: Readonly<
  Record<Exclude<Answer, 'whole' | 'reason'>, (planHash: string) => ApprovalDecision>
> = {
  once: (planHash) => ({ kind: 'approved', planHash, scope: 'once', source: 'user' }),
  deny: () => denied(),
  abort: () => ({ kind: 'abort', reason: 'the person at the terminal stopped the run' }),
  interrupt: () => ({ kind: 'abort', reason: 'interrupted at the terminal', interrupted: true }),
};

async function denyWithReason(terminal: Terminal): Promise<ApprovalDecision> {
  terminal.write('\n  why not (Enter sends it to the agent) > ');
  const read = await readLine(terminal);
  terminal.write('\n  ');
  if (read === 'interrupted') return DECISIONS.interrupt('');
  if (read === 'over' || read === 'given-up') return denied();
  return denied(read.line.trim() || undefined);
}

function denied(reason = 'the person at the terminal said no'): ApprovalDecision {
  return { kind: 'denied', reason };
}

function neverSilent(): ApprovalDecision {
  return {
    kind: 'denied',
    unavailable: true,
    reason: 'nobody could be asked: the keyboard never fell silent',
  };
}

function ended(): ApprovalDecision {
  return { kind: 'denied', unavailable: true, reason: 'nobody could be asked: the terminal was closed' };
}
