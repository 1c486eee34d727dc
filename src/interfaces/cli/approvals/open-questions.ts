import { foldRun, type WaitingReview } from '../../../application/fold-run.js';
import { ToolgateError } from '../../../domain/errors.js';
import type { ApprovalInbox } from '../../../ports/approval-inbox.js';
import type { RunJournal } from '../../../ports/run-journal.js';
import { waitingLines } from './waiting-text.js';

/** The journal and the inbox of the machine's runs. */
export interface RunRecords {
  readonly journal: RunJournal;
  readonly inbox: ApprovalInbox;
}

/** What a run asks and nobody has answered, nor left an answer for. Throws if it asks nothing. */
export async function openQuestions(
  { journal, inbox }: RunRecords,
  runId: string,
): Promise<readonly WaitingReview[]> {
  const { ended, waiting } = foldRun(await journal.read(runId));
  if (ended === 'success' || ended === 'failure') {
    throw new ToolgateError(
      'USER.RUN.FINISHED',
      `Run "${runId}" is over (${ended}), and asks nothing any more`,
    );
  }
  const left = await Promise.all(waiting.map((question) => inbox.find({ runId, ...question })));
  const open = waiting.filter((_, index) => left[index] === undefined);
  if (open.length > 0) return open;
  throw waiting.length > 0
    ? new ToolgateError('USER.APPROVAL.ANSWERED', `All that run "${runId}" asks is answered; ${goOn(runId)}`)
    : new ToolgateError('USER.APPROVAL.NOT_FOUND', `Run "${runId}" waits for no answer`);
}

/** The question about one call, named by the call's id or by its place in the record. */
export function questionAbout(open: readonly WaitingReview[], call: string): WaitingReview {
  const named = open.filter(({ callId, effectId }) => callId === call || effectId === call);
  const [only, ...more] = named;
  if (only && more.length === 0) return only;
  const problem = only
    ? `"${call}" names ${named.length} questions; name the place: ${named.map(({ effectId }) => effectId).join(', ')}`
    : `No call "${call}" waits for an answer`;
  throw new ToolgateError(
    'USER.APPROVAL.NOT_FOUND',
    `${problem}. What waits:\n${waitingLines(open).join('\n')}`,
  );
}

function goOn(runId: string): string {
  return `go on with: toolgate resume ${runId}`;
}
