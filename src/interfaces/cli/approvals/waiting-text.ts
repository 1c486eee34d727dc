import type { WaitingReview } from '../../../application/fold-run.js';
import { toVisible } from '../../../domain/visible-text.js';

/** As much of a plan's hash as a person has to write, and as nobody can make another plan have. */
export const SHOWN_HASH = 16;
const MOST_LISTED = 20;

/** A question in a few words: the call, its tool, and the beginning of its plan's hash. */
function waitingName({ callId, plan, planHash }: WaitingReview): string {
  return `${toVisible(callId)}  ${toVisible(plan.tool)}  plan ${planHash.slice(0, SHOWN_HASH)}`;
}

/** What waits, a line each. */
export function waitingLines(waiting: readonly WaitingReview[]): readonly string[] {
  const more = waiting.length - MOST_LISTED;
  return [
    ...waiting.slice(0, MOST_LISTED).map((question) => `  ${waitingName(question)}`),
    ...(more > 0 ? [`  … and ${more} more`] : []),
  ];
}

/** It shows the plan and asks; a script has to say which plan its yes is for. */
function answerText(runId: string): string {
  return `answer with: toolgate approve ${runId} CALL (and --yes --plan PLAN, or --deny, to do it without a terminal)`;
}

/** What a suspended run waits for, and how it goes on. */
export function suspendedText(runId: string, waiting: readonly WaitingReview[]): string {
  const count = `${waiting.length} ${waiting.length === 1 ? 'call waits' : 'calls wait'}`;
  return [
    ...(waiting.length === 0 ? [] : [`${count} for an answer:`, ...waitingLines(waiting)]),
    ...(waiting.length === 0 ? [] : [answerText(runId)]),
    `go on with: toolgate resume ${runId}`,
    '',
  ].join('\n');
}
