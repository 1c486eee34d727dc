import type { Cut } from './cut-context.js';
import { estimateTokens, textTokens } from './estimate-tokens.js';
import { type Loop, usageOf } from './loop-state.js';

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
async function sumUp(loop: Loop, cut: Cut): Promise<string | undefined> {
  const { run, request, progress, window } = loop;
  const turn = progress.turns + 1;
  const messages = window.toSummarize(cut);
  const { value } = await run.task({
    id: `${request.step}/${turn}/summary`,
    kind: 'summary',
    input: {
      turn,
      asked: progress.asked,
      messages,
      maxTokens: window.summaryTokens,
    },
  });
  const { text, usage, at } = value;
  const estimate = () => messages.reduce((sum, one) => sum + estimateTokens(one), textTokens(text ?? ''));
  progress.addSummary(usageOf(loop, { usage, isReply: text !== undefined }, estimate), at);
  return text;
}
