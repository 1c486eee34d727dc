import type { StepState } from '../domain/step-state.js';
import { isFarewell, type NextMove } from './conversation-plan.js';
import { marked } from './events.js';
import { type Loop, metCondition } from './loop-state.js';

/** What comes after a reply without calls; where nothing was said about it, the step is over. */
export function moveAfter({ request, progress }: Loop, response: string): NextMove {
  progress.exchanges += 1;
  const { exchanges: turns, tokensUsed } = progress;
  return (
    request.conversation?.after({ response, turns, tokensUsed }) ?? {
      kind: 'end',
      stoppedBy: 'completed',
      because: 'completed',
    }
  );
}

/** Ends the step as the conversation says. */
export function endBy({ progress }: Loop, move: Extract<NextMove, { kind: 'end' }>): StepState {
  progress.endedBy = move.because;
  return progress.finish(move.stoppedBy);
}

/** Puts the next message into the history; gives the step's state where there is none any more. */
export async function makeMove(
  loop: Loop,
  move: Exclude<NextMove, { kind: 'end' }>,
): Promise<StepState | undefined> {
  if (move.kind === 'listen') return await listen(loop, move.reply);
  tell(loop, move.text);
  return undefined;
}

/** Begins an exchange: whoever asks the same again wants it looked up again, which is no agent going round in circles. */
function tell({ window, progress }: Loop, content: string): void {
  progress.beginExchange();
  window.push({ role: 'user', content });
}

async function listen(loop: Loop, reply: string): Promise<StepState | undefined> {
  const { run, request, emit, progress } = loop;
  const { step } = request;
  const turn = progress.turns;
  emit({ type: 'input-ask', step, turn, reply });
  const { value, replayed } = await run.task({
    id: `${step}/${turn}/listen`,
    kind: 'listen',
    input: { turn },
  });
  const { text, failure, at } = value;
  progress.now = Math.max(progress.now, at);
  emit(marked({ type: 'input-answer', step, turn, ...(text === undefined ? {} : { text }) }, replayed));
  // Whoever has been waited for too long has not failed: the time is up.
  const limit = metCondition(loop, 'final');
  if (limit) return progress.finish(limit.reason);
  if (failure) return progress.finish('error', failure);
  if (text === undefined || isFarewell(text)) {
    progress.endedBy = 'user_exit';
    return progress.finish('completed');
  }
  tell(loop, text);
  return undefined;
}
