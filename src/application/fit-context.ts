import type { Cut } from './cut-context.js';
import type { Loop } from './loop-state.js';

/** Makes the history fit into the agent's context. False when it cannot be made to. */
export function fitContext(loop: Loop): boolean | Promise<boolean> {
  const found = loop.window.check();
  return typeof found === 'string' ? found === 'fits' : leaveOut(loop, found);
}

async function leaveOut(loop: Loop, found: Cut): Promise<true> {
  const { window, request, progress, emit } = loop;
  const summary =
    request.conversation?.window.strategy === 'summarize' ? await sumUp(loop, found) : undefined;
  window.apply(found, summary);
  emit({
    type: 'context-cut',
    step: request.step,
    turn: progress.turns + 1,
    dropped: found.dropped.length,
    summarized: summary !== undefined,
  });
  return true;
}

/** Nothing when the agent could not sum up: then what no longer fits is left out without a word of it. */
async function sumUp({ run, request, progress, window }: Loop, cut: Cut): Promise<string | undefined> {
  const turn = progress.turns + 1;
  const { value } = await run.task({
    id: `${request.step}/${turn}/summary`,
    kind: 'summary',
    input: {
      turn,
      asked: progress.asked,
      messages: window.toSummarize(cut),
      maxTokens: window.summaryTokens,
    },
  });
  progress.addSummary(value.usage, value.at);
  return value.text;
}
