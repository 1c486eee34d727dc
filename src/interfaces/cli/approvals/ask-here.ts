import type { WaitingReview } from '../../../application/fold-run.js';
import { openTerminalGate } from '../../../container.js';
import type { ApprovalDecision } from '../../../domain/approval.js';
import { ToolgateError } from '../../../domain/errors.js';
import { waitingLines } from './waiting-text.js';

export interface AskedRun {
  readonly runId: string;
  /** Who wants to make the call, as far as the record tells. */
  readonly agent: string;
  readonly signal: AbortSignal;
}

/** Asks about one call on this terminal, the way the run itself would. Undefined: whoever was asked left. */
export async function askHere(
  { effectId, callId, deadline, ...request }: WaitingReview,
  { runId, agent, signal }: AskedRun,
): Promise<ApprovalDecision | undefined> {
  const gate = await openTerminalGate();
  const [step = ''] = effectId.split('/');
  const until = deadline === undefined ? {} : { deadline };
  const decision = await gate.review(request, { runId, effectId, step, callId, agent, signal, ...until });
  if (decision.kind === 'denied' && decision.unavailable) throw noTerminal(callId);
  const hasLeft = signal.aborted || (decision.kind === 'abort' && decision.interrupted);
  return hasLeft || decision.kind === 'pending' ? undefined : decision;
}

function noTerminal(callId: string): ToolgateError {
  const message = `There is no terminal to ask about "${callId}" on: look at it with --show, then answer with --yes --plan HASH, --edit, --deny or --abort`;
  return new ToolgateError('USER.ARGUMENT.INVALID', message);
}

/** More than one question waits, and nobody is there to be asked one after the other. */
export function nameOne(open: readonly WaitingReview[]): ToolgateError {
  const message = `Name the call. What waits:\n${waitingLines(open).join('\n')}`;
  return new ToolgateError('USER.APPROVAL.NOT_FOUND', message);
}
