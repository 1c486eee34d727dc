import type { Opener, Place } from '../formats/opener.js';
import { isBlankCode } from '../json/json-walker.js';
import type { Collector } from './collector.js';
import type { Frame, Passage } from './frame.js';
import { Lookback } from './lookback.js';
import { FENCE, type PassageMarks } from './marks.js';
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
  readonly #place: Place & { inFence: boolean };
  /** Whether everything so far was blank or a body, so that a body may come. */
  mayBeDocument: boolean;
  /** Whether nothing but blanks came since the beginning, or since a call. */
  #mayStart = true;
  #blockEnd = 0;
  /** A mark of reasoning that seemed to be spoken of, and how many calls stood before it. */
  #spoken: { readonly mark: PassageMarks; readonly calls: number } | undefined;

  constructor(plan: Plan, collector: Collector) {
    this.#plan = plan;
    this.#collector = collector;
    this.#place = {
      inFence: false,
      tools: collector.tools,
      startsLine: (text, index) => this.lookback.isLineStart(text, index),
      isApart: (view, index) => this.#isApart(view, index),
      lineBefore: (text, index) => this.lookback.line(text, index),
    };
    this.mayBeDocument = plan.document !== undefined;
  }

  /** Notes where a call or reasoning ended: what follows directly stands apart from the prose before it. */
  blockEnded(at: number): void {
    this.#blockEnd = at;
    this.lookback.leaveBlock(at);
    this.#mayStart = true;
  }

  /** Notes that what opened was text after all. */
  rejected(): void {
    this.mayBeDocument = false;
    this.#mayStart = false;
  }

  /** Notes that what opened like a fenced call is an ordinary code block. */
  enterFence(): void {
    this.#place.inFence = true;
  }

  /** Whether only a mark can open anything: neither a body nor a start is awaited. */
  get areIdle(): boolean {
    return !this.#mayStart && !this.mayBeDocument;
  }

  next(view: TextView, from: number): Found {
    const document = this.mayBeDocument ? this.#document(view, from) : undefined;
    if (document) return document;
    const start = this.#mayStart ? this.#start(view, from) : undefined;
    if (start) return start;
    let step: Found | number = from;
    while (typeof step === 'number') step = this.#openNext(view, step);
    return step;
  }

  /** What opens where the response begins, or right behind a call; undefined once it is clear that nothing does. */
  #start(view: TextView, from: number): Found | undefined {
    if (this.#plan.starters.length === 0) {
      this.#mayStart = false;
      return undefined;
    }
    let index = from;
    while (index < view.text.length && isBlankCode(view.text.charCodeAt(index))) index += 1;
    if (index >= view.text.length) return { index };
    for (const starter of this.#plan.starters) {
      const opening = starter.open(view, index, this.#place);
      if (opening === 'partial') return { index };
      if (opening) return { index, opening };
    }
    this.#mayStart = false;
    return undefined;
  }

  #openersAt(text: string, index: number): readonly Opener[] {
    return this.#plan.openers.at(text, index);
  }

  /** What opens next, or the index to search on from. */
  #openNext(view: TextView, from: number): Found | number {
    const { pattern } = this.#plan;
    pattern.lastIndex = from;
    const hit = pattern.exec(view.text);
    const index = hit?.index;
    const held = view.final ? view.text.length : this.#heldFrom(view, from, index);
    // A mark that may still come may hold this one: `]<]minimax[>[<tool_call>`.
    if (index === undefined || held < index) return { index: held };
    if (this.#isQuoted(view.text, index)) return index + 1;
    const opening = this.#openAt(view, index, hit?.[0].length === 1);
    if (opening === 'partial') return { index };
    return opening ? { index, opening } : this.#skip(view, index);
  }

  /** The body or event stream that the response consists of; undefined once it is clear that there is none. */
  #document(view: TextView, from: number): Found | undefined {
    let index = from;
    while (index < view.text.length && isBlankCode(view.text.charCodeAt(index))) index += 1;
    if (index >= view.text.length && !view.final) return { index };
    const opening = this.#plan.document?.open(view, index, this.#place) ?? passageAt(view, index);
    if (opening === 'partial') return { index };
    if (opening) return { index, opening };
    this.mayBeDocument = false;
    return undefined;
  }

  /** Whether a mark is in inline code; the marks of fences are made of backticks themselves. */
  #isQuoted(text: string, index: number): boolean {
    return text[index] !== '`' && this.lookback.isQuoted(text, index);
  }

  #openAt(view: TextView, index: number, isLoose: boolean): Frame | Passage | 'partial' | undefined {
    const { text } = view;
    const isFence = text[index] === '`';
    if (isFence && (this.#place.inFence || !this.lookback.isLineStart(text, index))) return undefined;
    const passage = this.#openPassage(view, index);
    if (passage) return passage;
    // A single character was all that fitted: no longer mark stands here, but one may yet come.
    const isTorn = isLoose && !view.final && text.length - index <= MAX_HELD;
    const openers = isLoose && !isTorn ? this.#plan.loose.at(text, index) : this.#openersAt(text, index);
    for (const opener of openers) {
      const opening = opener.open(view, index, this.#place);
      if (opening !== undefined) return opening;
    }
    return undefined;
  }

  /** Reasoning is set apart: a mark in the middle of a sentence only speaks of it. */
  #openPassage(view: TextView, index: number): Passage | 'partial' | undefined {
    const { passages } = this.#plan;
    if (!view.final && this.#isTorn(view.text, index)) return 'partial';
    const mark = passages.find(({ open }) => view.text.startsWith(open, index));
    if (!mark || !(mark.isToken || this.#startsBlock(view, index))) return undefined;
    const message = `${mark.open} is never closed; everything behind it counts as reasoning.`;
    const note = mark.isSpeech ? undefined : ({ code: 'reasoning-unclosed', message } as const);
    return { start: view.base + index, until: [mark.close], note };
  }

  #startsBlock(view: TextView, index: number): boolean {
    if (this.lookback.isLineStart(view.text, index)) return true;
    return this.#blockEnd > 0 && this.#isApart(view, index);
  }

  #isApart({ text, base }: TextView, index: number): boolean {
    return this.lookback.isBlank(text, index, base + index - this.#blockEnd);
  }

  /** What looked like a mark is text, or a fence. Returns where to search on. */
  #skip({ text, base }: TextView, index: number): number {
    if (text.startsWith(FENCE, index) && this.lookback.isLineStart(text, index)) {
      this.#place.inFence = !this.#place.inFence;
      return index + FENCE.length;
    }
    const mark = this.#plan.passages.find(
      ({ open, close, isSpeech }) =>
        !isSpeech && (text.startsWith(open, index) || text.startsWith(close, index)),
    );
    if (mark && text.startsWith(mark.open, index))
      this.#spoken ??= { mark, calls: this.#collector.calls.length };
    else if (mark && this.#plan.reasoning === 'ignore') this.#closeReasoning(mark, base + index);
    return index + 1;
  }

  /** Calls before the end of reasoning whose beginning only seemed to be spoken of, or is not there. */
  #closeReasoning(mark: PassageMarks, start: number): void {
    const { calls } = this.#collector;
    const block = { start, end: start + mark.close.length };
    const opened = this.#spoken?.mark === mark ? this.#spoken : undefined;
    if (opened) this.#spoken = undefined;
    if (calls.length <= (opened?.calls ?? 0)) return;
    if (opened) this.#collector.disarm(opened.calls);
    const message = opened
      ? `${mark.close} closes reasoning that ${mark.open} opened inside a line; calls in it are drafts and must not run.`
      : `${mark.close} closes reasoning that was never opened; calls before it may be drafts.`;
    this.#collector.problem('reasoning-unopened', message, block);
  }

  /** Where text begins that more text could turn into a mark; what stands at `stop` or behind is not asked. */
  #heldFrom(view: TextView, search: number, stop = view.text.length): number {
    for (let index = Math.max(search, view.text.length - MAX_HELD); index < stop; index += 1) {
      if (this.#couldOpen(view, index)) return index;
    }
    return stop;
  }

  #couldOpen(view: TextView, index: number): boolean {
    const first = view.text[index] ?? '';
    if (!this.#plan.firsts.has(first)) return false;
    if (this.#isTorn(view.text, index)) return true;
    return this.#openersAt(view.text, index).some((one) => one.open(view, index, this.#place) === 'partial');
  }

  /** Whether the text ends in the middle of a fence or of a passage's mark. */
  #isTorn(text: string, index: number): boolean {
    const marks = this.#plan.tokens.get(text[index] ?? '');
    return marks?.some((mark) => text.length - index < mark.length && couldBe(mark, text, index)) ?? false;
  }
}
