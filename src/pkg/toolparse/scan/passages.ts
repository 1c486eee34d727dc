import type { ReasoningMode } from '../types.js';
import type { Passage } from './frame.js';
import { REASONING_MARKS } from './marks.js';
import { Template } from './template.js';
import type { TextView } from './text-view.js';

const EVENT_STREAM = ['data: {', 'data: [', 'event: {name} data:', 'event: {name} id:'].map(
  (mark) => new Template(mark),
);

/** The reasoning that a response begins in when the prompt has opened it. */
export function openingPassage(reasoning: ReasoningMode): Passage | undefined {
  if (reasoning !== 'prefilled') return undefined;
  const message =
    'The reasoning that the prompt opened is never closed; the whole response counts as reasoning.';
  return {
    start: 0,
    until: REASONING_MARKS.filter(({ isSpeech }) => !isSpeech).map(({ close }) => close),
    note: { code: 'reasoning-unclosed', message },
  };
}

/** The text of an event stream at the start of the response: none of it is the model's text, so none is searched. */
export function passageAt(view: TextView, index: number): Passage | 'partial' | undefined {
  const matches = EVENT_STREAM.map((template) => template.match(view.text, index).status);
  if (!view.final && matches.includes('partial')) return 'partial';
  if (!matches.includes('match')) return undefined;
  const message = 'The response is an event stream (SSE) of no provider that is known; it is left as it is.';
  return { start: view.base + index, until: [], note: { code: 'stream-unsupported', message } };
}
