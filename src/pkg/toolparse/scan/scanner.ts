import type { BodyBlock, Collector } from './collector.js';
import type { CallReading, Frame, Note, Passage, Reading } from './frame.js';
import { FENCE } from './marks.js';
import { Openings } from './openings.js';
import { openingPassage } from './passages.js';
import type { Plan } from './plan.js';
import { TextView } from './text-view.js';

/** The most characters at the end of a text that the plan's hint fits without being sure. */
const MAX_HINT = 2;

/**
 * Reads a response in pieces of any size, each character a bounded number of times, and hands text, blocks and calls to
 * the collector. Its decisions rest on offsets and on text that is there, never on where a piece ended: an opening that
 * more text could change is held back until it cannot.
 */
export class Scanner {
  readonly #plan: Plan;
  readonly #collector: Collector;
  readonly #openings: Openings;
  #view = new TextView('', 0, false);
  /** Index in the view up to which everything is settled. */
  #at = 0;
  /** Index in the view from which marks are looked for. */
  #search = 0;
  #frame: Frame | undefined;
  /** Index in the view where the frame's text goes on from `#parts`. */
  #frameFrom = 0;
  #parts: string[] = [];
  #passage: Passage | undefined;

  constructor(plan: Plan, collector: Collector) {
    this.#plan = plan;
    this.#collector = collector;
    this.#openings = new Openings(plan, collector);
    this.#passage = openingPassage(plan.reasoning);
  }

  push(chunk: string): void {
    if (this.#passProse(chunk)) return;
    this.#refill(chunk, false);
    this.#run();
  }

  /** Reads the last piece. */
  end(chunk = ''): void {
    this.#refill(chunk, true);
    this.#run();
  }

  /**
   * Passes on a chunk in which nothing can begin, but for its last characters: most of what a model writes is prose, and
   * a search for every mark in every few characters of it would cost more than all else.
   */
  #passProse(chunk: string): boolean {
    if (this.#frame || this.#passage || !this.#openings.areIdle) return false;
    const { text, base } = this.#view;
    const pending = this.#at < text.length ? text.slice(this.#at) + chunk : chunk;
    const hit = pending.search(this.#plan.hint);
    if (hit >= 0 && hit < pending.length - MAX_HINT) return false;
    const { lookback } = this.#openings;
    lookback.pass(text, this.#at);
    const prose = hit < 0 ? pending : pending.slice(0, hit);
    lookback.pass(prose, prose.length);
    this.#view = new TextView(hit < 0 ? '' : pending.slice(hit), base + this.#at + prose.length, false);
    this.#at = 0;
    this.#search = 0;
    this.#collector.text(prose);
    return true;
  }

  #run(): void {
    let goesOn = true;
    while (goesOn) {
      if (this.#passage) goesOn = this.#pass(this.#passage);
      else if (this.#frame) goesOn = this.#advance(this.#frame);
      else goesOn = this.#seek();
    }
  }

  /** The new view is what is not settled yet, and the chunk. A frame's text is put aside, never searched again. */
  #refill(chunk: string, final: boolean): void {
    const { text, base } = this.#view;
    const { lookback } = this.#openings;
    if (!this.#frame) lookback.pass(text, this.#at);
    else {
      if (this.#parts.length === 0) lookback.pass(text, this.#frameFrom);
      this.#parts.push(text.slice(this.#frameFrom, this.#at));
      this.#frameFrom = 0;
    }
    this.#view = new TextView(text.slice(this.#at) + chunk, base + this.#at, final);
    this.#search = Math.max(0, this.#search - this.#at);
    this.#at = 0;
  }

  /** Looks for the next place where something opens, and passes on the text before it. */
  #seek(): boolean {
    const { index, opening } = this.#openings.next(this.#view, this.#search);
    this.#release(index);
    if (!opening) return false;
    if ('until' in opening) {
      this.#passage = opening;
      return true;
    }
    this.#frame = opening;
    this.#frameFrom = index;
    if (!opening.tentative) this.#collector.blockStart(opening.format, opening.start);
    return true;
  }

  #pass(passage: Passage): boolean {
    const { text, base, final } = this.#view;
    const end = endOfFirst(passage.until, text, this.#at);
    if (end >= 0) {
      this.#release(end);
      this.#openings.blockEnded(base + this.#at);
      this.#passage = undefined;
      return true;
    }
    const held = passage.until.reduce((longest, mark) => Math.max(longest, mark.length - 1), 0);
    this.#release(final ? text.length : Math.max(this.#at, text.length - held));
    if (final && passage.note) {
      this.#collector.problem(passage.note.code, passage.note.message, {
        start: passage.start,
        end: base + this.#at,
      });
    }
    return false;
  }

  #advance(frame: Frame): boolean {
    const { text, base } = this.#view;
    const step = frame.advance(this.#view);
    if (!step.done) {
      const from = Math.max(this.#at, this.#frameFrom);
      this.#at = step.at - base;
      if (!frame.tentative) this.#collector.blockDelta(text.slice(from, this.#at));
      return false;
    }
    this.#gather(frame);
    this.#frame = undefined;
    const reading = frame.read(this.#view.text.slice(this.#frameFrom, step.at - this.#view.base));
    if (reading.kind !== 'calls' || !this.#accept(frame, reading)) this.#reject(frame, reading);
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
    const declaredOnly = frame.declaredOnly && !this.#plan.trustsNames;
    const calls = this.#collector.accept(reading, block, declaredOnly);
    if (!calls) return false;
    if (reading.text !== undefined)
      this.#readBodyText(reading.text, calls.length > 0, { ...block, refused: reading.refused });
    if (frame.tentative && calls.length > 0) this.#collector.blockStart(reading.format, frame.start);
    if (!frame.tentative || calls.length > 0) this.#collector.blockEnd(calls);
    this.#openings.mayBeDocument &&= reading.text !== undefined;
    this.#at = reading.end - this.#view.base;
    this.#search = this.#at;
    this.#openings.blockEnded(reading.end);
    return true;
  }

  /** A provider that did not see the model's calls leaves them in the text. */
  #readBodyText(text: string, hasCalls: boolean, body: BodyBlock): void {
    this.#collector.body(() => {
      if (hasCalls) this.#collector.text(text);
      else new Scanner({ ...this.#plan, document: undefined }, this.#collector).end(text);
    }, body);
  }

  #reject(frame: Frame, reading: Reading): void {
    const { text, base } = this.#view;
    if (!frame.tentative) this.#collector.blockEnd([]);
    this.#openings.rejected();
    this.#at = this.#frameFrom;
    const resume = reading.kind === 'calls' ? reading.end : reading.resume;
    this.#search = Math.max(this.#at + 1, resume - base);
    if (text.startsWith(FENCE, this.#at)) this.#openings.enterFence();
    const note = reading.kind === 'text' ? reading.note : refusal(frame, reading);
    if (note) this.#collector.problem(note.code, note.message, { start: frame.start, end: resume });
  }

  /** Passes on the text up to `to`. */
  #release(to: number): void {
    if (to > this.#at) this.#collector.text(this.#view.text.slice(this.#at, to));
    this.#at = Math.max(this.#at, to);
    this.#search = Math.max(this.#search, this.#at);
  }
}

/** Where the mark that comes first ends, or -1. */
function endOfFirst(marks: readonly string[], text: string, from: number): number {
  let first = -1;
  let end = -1;
  for (const mark of marks) {
    const index = text.indexOf(mark, from);
    if (index < 0 || (first >= 0 && index >= first)) continue;
    first = index;
    end = index + mark.length;
  }
  return end;
}

/** A guess that no declared tool made good; bare JSON that is none of ours is not worth a word. */
function refusal(frame: Frame, reading: CallReading): Note | undefined {
  const message =
    'The block opens like a call, but names no declared tool and cannot be read with certainty.';
  return reading.needsDeclared && !frame.tentative ? { code: 'call-unreadable', message } : undefined;
}
