import { isBlankCode } from '../json/json-walker.js';
import type { Collector } from './collector.js';
import type { Frame, Passage } from './frame.js';
import { Lookback } from './lookback.js';
import { FENCE, REASONING_MARKS } from './marks.js';
import { passageAt } from './passages.js';
import type { Plan } from './plan.js';
import { couldBe, type TextView } from './text-view.js';

/** The longest beginning of a mark that text can end with. */
const MAX_HELD = 64;

/** What was found: text up to `index`, and what opens there if anything does. */
export interface Found {
  readonly index: number;
  readonly opening?: Frame | Passage;
}

/** Decides where in the text a call, a body or reasoning opens, and where a mark is only spoken of. */
export class Openings {
  readonly lookback = new Lookback();
  readonly #plan: Plan;
  readonly #collector: Collector;
  #inFence = false;
  /** Whether a mark was found right behind a backtick: it and what follows is quoted, up to the next backtick. */
  #inQuote = false;
  /** Whether everything so far was blank or a body, so that a body may come. */
  mayBeDocument: boolean;
  #blockEnd = 0;

  constructor(plan: Plan, collector: Collector) {
    this.#plan = plan;
    this.#collector = collector;
    this.mayBeDocument = plan.document !== undefined;
  }

  /** Notes where a call or reasoning ended: what follows directly stands apart from the prose before it. */
  blockEnded(at: number): void {
    this.#blockEnd = at;
  }

  /** Notes that what opened like a fenced call is an ordinary code block. */
  enterFence(): void {
    this.#inFence = true;
  }

  next(view: TextView, from: number): Found {
    const document = this.mayBeDocument ? this.#document(view, from) : undefined;
    if (document) return document;
    let step: Found | number = from;
    while (typeof step === 'number') {
      step = this.#inQuote ? this.#leaveQuote(view, step) : this.#openNext(view, step);
    }
    return step;
  }

  /** What opens next, or the index to search on from. */
  #openNext(view: TextView, from: number): Found | number {
    const { pattern } = this.#plan;
    pattern.lastIndex = from;
    const index = pattern.exec(view.text)?.index;
    if (index === undefined) return { index: view.final ? view.text.length : this.#heldFrom(view, from) };
    const opening = this.#openAt(view, index);
    if (opening === 'partial') return { index };
    return opening ? { index, opening } : this.#skip(view, index);
  }

  /** Goes behind quoted code: behind its backtick, or to the empty line that shows that there is none. */
  #leaveQuote({ text, final }: TextView, from: number): Found | number {
    const ends = [text.indexOf('`', from), text.indexOf('\n\n', from)].filter((index) => index >= 0);
    if (ends.length === 0) return { index: text.endsWith('\n') && !final ? text.length - 1 : text.length };
    this.#inQuote = false;
    return Math.min(...ends) + 1;
  }

  /** The body or event stream that the response consists of; undefined once it is clear that there is none. */
  #document(view: TextView, from: number): Found | undefined {
    let index = from;
    while (index < view.text.length && isBlankCode(view.text.charCodeAt(index))) index += 1;
    if (index >= view.text.length && !view.final) return { index };
    const opening = this.#plan.document?.open(view, index, false) ?? passageAt(view, index);
    if (opening === 'partial') return { index };
    if (opening) return { index, opening };
    this.mayBeDocument = false;
    return undefined;
  }

  #openAt(view: TextView, index: number): Frame | Passage | 'partial' | undefined {
    const { text } = view;
    this.#inQuote = this.lookback.isQuoted(text, index);
    if (this.#inQuote) return undefined;
    const isFence = text[index] === '`';
    if (isFence && (this.#inFence || !this.lookback.isLineStart(text, index))) return undefined;
    const reasoning = this.#plan.reasoning === 'use' ? undefined : this.#openReasoning(view, index);
    if (reasoning) return reasoning;
    for (const opener of this.#plan.openers) {
      const opening = opener.open(view, index, this.#inFence);
      if (opening !== undefined) return opening;
    }
    return undefined;
  }

  /** Reasoning is set apart: a mark in the middle of a sentence only speaks of it. */
  #openReasoning(view: TextView, index: number): Passage | 'partial' | undefined {
    if (!view.final && isTornMark(view.text, index)) return 'partial';
    const mark = REASONING_MARKS.find(({ open }) => view.text.startsWith(open, index));
    if (!mark || !this.#startsBlock(view, index)) return undefined;
    const message = `${mark.open} is never closed; everything behind it counts as reasoning.`;
    return { start: view.base + index, until: [mark.close], note: { code: 'reasoning-unclosed', message } };
  }

  #startsBlock({ text, base }: TextView, index: number): boolean {
    if (this.lookback.isLineStart(text, index)) return true;
    return this.#blockEnd > 0 && this.lookback.isBlank(text, index, base + index - this.#blockEnd);
  }

  /** What looked like a mark is text, or a fence. Returns where to search on. */
  #skip({ text, base }: TextView, index: number): number {
    if (this.#inQuote) return index;
    if (text.startsWith(FENCE, index) && this.lookback.isLineStart(text, index)) {
      this.#inFence = !this.#inFence;
      return index + FENCE.length;
    }
    const closing = REASONING_MARKS.find(({ close }) => text.startsWith(close, index));
    if (closing && this.#plan.reasoning === 'ignore' && this.#collector.calls.length > 0) {
      const message = `${closing.close} closes reasoning that was never opened; calls before it may be drafts.`;
      const block = { start: base + index, end: base + index + closing.close.length };
      this.#collector.problem('reasoning-unopened', message, block);
    }
    return index + 1;
  }

  /** Where text begins that more text could turn into a mark. */
  #heldFrom(view: TextView, search: number): number {
    const { length } = view.text;
    for (let index = Math.max(search, length - MAX_HELD); index < length; index += 1) {
      if (this.#couldOpen(view, index)) return index;
    }
    return length;
  }

  #couldOpen(view: TextView, index: number): boolean {
    const { text } = view;
    if (couldBe(FENCE, text, index) || isTornMark(text, index)) return true;
    return this.#plan.openers.some((opener) => opener.open(view, index, false) === 'partial');
  }
}

/** Whether the text ends in the middle of a reasoning mark. */
function isTornMark(text: string, index: number): boolean {
  const isTorn = (mark: string) => text.length - index < mark.length && couldBe(mark, text, index);
  return REASONING_MARKS.some(({ open, close }) => isTorn(open) || isTorn(close));
}
