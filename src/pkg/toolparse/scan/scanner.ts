import { isBlankCode } from '../json/json-walker.js';
import type { Collector } from './collector.js';
import type { CallReading, Frame, Passage, Reading } from './frame.js';
import { Lookback } from './lookback.js';
import { FENCE, REASONING_MARKS } from './marks.js';
import { openingPassage, passageAt } from './passages.js';
import type { Plan } from './plan.js';
import { couldBe, TextView } from './text-view.js';

/** The longest beginning of a mark that text can end with. */
const MAX_HELD = 64;

/**
 * Reads a response in pieces of any size, each character a bounded number of times, and hands text, blocks and calls to
 * the collector. Its decisions rest on offsets and on text that is there, never on where a piece ended: an opening that
 * more text could change is held back until it cannot.
 */
export class Scanner {
  readonly #plan: Plan;
  readonly #collector: Collector;
  #view = new TextView('', 0, false);
  #lookback = new Lookback();
  /** Index in the view up to which everything is settled. */
  #at = 0;
  /** Index in the view from which marks are looked for. */
  #search = 0;
  #frame: Frame | undefined;
  /** Index in the view where the frame's text goes on from `#parts`. */
  #frameFrom = 0;
  #parts: string[] = [];
  #passage: Passage | undefined;
  #inFence = false;
  #mayBeDocument: boolean;
  #blockEnd = 0;

  constructor(plan: Plan, collector: Collector) {
    this.#plan = plan;
    this.#collector = collector;
    this.#mayBeDocument = plan.document !== undefined;
    this.#passage = openingPassage(plan.reasoning);
  }

  push(chunk: string): void {
    this.#refill(chunk, false);
    this.#run();
  }

  /** Reads the last piece. */
  end(chunk = ''): void {
    this.#refill(chunk, true);
    this.#run();
  }

  #run(): void {
    let goesOn = true;
    while (goesOn) {
      if (this.#passage) goesOn = this.#pass(this.#passage);
      else if (this.#frame) goesOn = this.#advance(this.#frame);
      else goesOn = this.#seek();
    }
  }

  #refill(chunk: string, final: boolean): void {
    const { text, base } = this.#view;
    if (!this.#frame) this.#lookback.pass(text, this.#at);
    else {
      if (this.#parts.length === 0) this.#lookback.pass(text, this.#frameFrom);
      this.#parts.push(text.slice(this.#frameFrom, this.#at));
      this.#frameFrom = 0;
    }
    this.#view = new TextView(text.slice(this.#at) + chunk, base + this.#at, final);
    this.#search -= this.#at;
    this.#at = 0;
  }

  /** Looks for the next place where something opens, and passes on the text before it. */
  #seek(): boolean {
    const index = this.#nextMark();
    if (index < 0) {
      this.#release(this.#view.final ? this.#view.text.length : this.#heldFrom());
      this.#search = this.#at;
      return false;
    }
    const opening = this.#openAt(index);
    if (opening === 'partial') {
      this.#release(index);
      this.#search = index;
      return false;
    }
    if (opening) this.#begin(opening, index);
    else this.#skipMark(index);
    return true;
  }

  #nextMark(): number {
    const { text } = this.#view;
    if (this.#mayBeDocument) {
      const first = this.#firstSolid();
      if (first < text.length) return first;
      return -1;
    }
    const { pattern } = this.#plan;
    pattern.lastIndex = this.#search;
    return pattern.exec(text)?.index ?? -1;
  }

  #firstSolid(): number {
    const { text } = this.#view;
    let index = this.#at;
    while (index < text.length && isBlankCode(text.charCodeAt(index))) index += 1;
    return index;
  }

  #openAt(index: number): Frame | Passage | 'partial' | undefined {
    const { text } = this.#view;
    if (this.#mayBeDocument) {
      const opening = this.#openDocument(index);
      if (opening) return opening;
      this.#mayBeDocument = false;
      this.#search = index;
    }
    if (this.#lookback.isQuoted(text, index)) return undefined;
    if (text[index] === '`' && (this.#inFence || !this.#lookback.isLineStart(text, index))) return undefined;
    const passage = this.#openReasoning(index);
    if (passage) return passage;
    for (const opener of this.#plan.openers) {
      const opening = opener.open(this.#view, index, this.#inFence);
      if (opening !== undefined) return opening;
    }
    return undefined;
  }

  #openDocument(index: number): Frame | Passage | 'partial' | undefined {
    return this.#plan.document?.open(this.#view, index, false) ?? passageAt(this.#view, index);
  }

  /** Reasoning is set apart: a mark in the middle of a sentence speaks of it only. */
  #openReasoning(index: number): Passage | undefined {
    const { text, base } = this.#view;
    if (this.#plan.reasoning === 'use') return undefined;
    const mark = REASONING_MARKS.find(({ open }) => text.startsWith(open, index));
    if (!mark || !this.#startsBlock(index)) return undefined;
    const message = `${mark.open} is never closed; everything behind it counts as reasoning.`;
    return { start: base + index, until: [mark.close], note: { code: 'reasoning-unclosed', message } };
  }

  #startsBlock(index: number): boolean {
    const { text, base } = this.#view;
    if (this.#lookback.isLineStart(text, index)) return true;
    const from = this.#blockEnd - base;
    return this.#blockEnd > 0 && from >= 0 && text.slice(from, index).trim() === '';
  }

  #begin(opening: Frame | Passage, index: number): void {
    this.#release(index);
    if ('until' in opening) {
      this.#passage = opening;
      return;
    }
    this.#frame = opening;
    this.#frameFrom = index;
    if (!opening.tentative) this.#collector.blockStart(opening.format, opening.start);
  }

  /** What looked like a mark is text, or a fence. */
  #skipMark(index: number): void {
    const { text, base } = this.#view;
    this.#search = index + 1;
    if (text.startsWith(FENCE, index) && this.#lookback.isLineStart(text, index)) {
      this.#inFence = !this.#inFence;
      this.#search = index + FENCE.length;
    }
    const closing = REASONING_MARKS.find(({ close }) => text.startsWith(close, index));
    if (closing && this.#plan.reasoning === 'ignore' && this.#collector.calls.length > 0) {
      const message = `${closing.close} closes reasoning that was never opened; calls before it may be drafts.`;
      const block = { start: base + index, end: base + index + closing.close.length };
      this.#collector.problem('reasoning-unopened', message, block);
    }
  }

  /** Where text begins that more text could turn into a mark. */
  #heldFrom(): number {
    const { text } = this.#view;
    for (
      let index = Math.max(this.#at, this.#search, text.length - MAX_HELD);
      index < text.length;
      index += 1
    ) {
      if (this.#couldOpen(index)) return index;
    }
    return text.length;
  }

  #couldOpen(index: number): boolean {
    const { text } = this.#view;
    if (this.#mayBeDocument || couldBe(FENCE, text, index)) return true;
    const isMark = REASONING_MARKS.some(
      ({ open, close }) => couldBe(open, text, index) || couldBe(close, text, index),
    );
    return isMark || this.#plan.openers.some((opener) => opener.open(this.#view, index, false) === 'partial');
  }

  #pass(passage: Passage): boolean {
    const { text, base, final } = this.#view;
    const found = passage.until
      .map((mark) => ({ mark, index: text.indexOf(mark, this.#at) }))
      .filter(({ index }) => index >= 0)
      .sort((left, right) => left.index - right.index)[0];
    if (found) {
      this.#settle(found.index + found.mark.length);
      this.#blockEnd = base + this.#at;
      this.#passage = undefined;
      return true;
    }
    const held = Math.max(0, ...passage.until.map((mark) => mark.length - 1));
    this.#settle(final ? text.length : Math.max(this.#at, text.length - held));
    if (final) {
      this.#collector.problem(passage.note.code, passage.note.message, {
        start: passage.start,
        end: base + this.#at,
      });
      this.#passage = undefined;
    }
    return false;
  }

  #advance(frame: Frame): boolean {
    const { text, base } = this.#view;
    const step = frame.advance(this.#view, this.#at);
    if (!step.done) {
      if (!frame.tentative)
        this.#collector.blockDelta(text.slice(Math.max(this.#at, this.#frameFrom), step.at - base));
      this.#at = step.at - base;
      return false;
    }
    this.#gather(frame);
    this.#frame = undefined;
    const from = this.#frameFrom;
    const reading = frame.read(this.#view.text.slice(from, step.at - this.#view.base));
    if (reading.kind === 'calls' && this.#accept(frame, reading)) return true;
    this.#reject(frame, reading);
    return true;
  }

  /** Puts the frame's pieces back into one view, so that what it gives back can be scanned again. */
  #gather(frame: Frame): void {
    if (this.#parts.length === 0) return;
    this.#parts.push(this.#view.text);
    this.#view = new TextView(this.#parts.join(''), frame.start, this.#view.final);
    this.#parts = [];
    this.#frameFrom = 0;
    this.#at = 0;
  }

  #accept(frame: Frame, reading: CallReading): boolean {
    const block = { start: frame.start, end: reading.end };
    const calls = this.#collector.accept(reading, block, frame.declaredOnly);
    if (!calls) return false;
    if (frame.tentative && calls.length > 0) this.#collector.blockStart(reading.format, frame.start);
    if (!frame.tentative || calls.length > 0) this.#collector.blockEnd(calls);
    this.#mayBeDocument &&= reading.text !== undefined;
    if (reading.text !== undefined) this.#readBodyText(reading.text, calls.length > 0);
    this.#at = reading.end - this.#view.base;
    this.#search = this.#at;
    this.#blockEnd = reading.end;
    return true;
  }

  /** A provider that did not see the model's calls leaves them in the text. */
  #readBodyText(text: string, hasCalls: boolean): void {
    if (hasCalls || text === '') this.#collector.text(text);
    else new Scanner({ ...this.#plan, document: undefined }, this.#collector).end(text);
  }

  #reject(frame: Frame, reading: Reading): void {
    const { text, base } = this.#view;
    if (!frame.tentative) this.#collector.blockEnd([]);
    this.#mayBeDocument = false;
    this.#at = this.#frameFrom;
    const resume = reading.kind === 'calls' ? reading.end : reading.resume;
    this.#search = Math.max(this.#at + 1, resume - base);
    if (text.startsWith(FENCE, this.#at)) this.#inFence = true;
    const note = reading.kind === 'text' ? reading.note : undefined;
    if (note) this.#collector.problem(note.code, note.message, { start: frame.start, end: resume });
  }

  #release(to: number): void {
    this.#settle(Math.max(this.#at, to));
  }

  #settle(to: number): void {
    this.#collector.text(this.#view.text.slice(this.#at, to));
    this.#at = to;
    this.#search = Math.max(this.#search, to);
  }
}
