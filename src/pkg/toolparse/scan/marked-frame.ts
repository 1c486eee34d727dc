import type { Draft } from './draft.js';
import type { Advance, Reading } from './frame.js';
import { type FrameSpec, SpecFrame } from './spec-frame.js';
import type { TextView } from './text-view.js';
import type { Tracker } from './tracker.js';

/** What was read of a body, and how much of it. */
export interface BodyReading {
  readonly drafts: readonly Draft[];
  readonly length: number;
}

export interface MarkedSpec extends FrameSpec {
  readonly bodyAt: number;
  /** What closes the body; none for a body that ends with its brackets. */
  readonly close: readonly string[];
  /** An opening mark that ends a body whose closing mark seemed to be in a string; empty for none. */
  readonly restart: string;
  readonly tracker?: Tracker | undefined;
  /** Reads the body once it is whole; undefined when it holds no call. */
  readBody(body: string, isClosed: boolean): BodyReading | undefined;
}

/** A body between two marks that is read when all of it is there. A closing mark inside a string does not count. */
export class MarkedFrame extends SpecFrame<MarkedSpec> {
  #cursor: number;
  /** Up to where the tracker has followed. */
  #tracked: number;
  /** Where a closing mark stood that seemed to be in a string, and where it ends. */
  #doubtful: { readonly at: number; readonly end: number } | undefined;
  #stop = -1;
  #end = -1;
  #isClosed = false;

  constructor(spec: MarkedSpec) {
    super(spec);
    this.#cursor = spec.bodyAt;
    this.#tracked = spec.bodyAt;
  }

  advance(view: TextView): Advance {
    const { close, restart } = this.spec;
    for (;;) {
      const from = this.#cursor - view.base;
      const found = nearest(view, from, restart === '' ? close : [...close, restart]);
      if (!found) return this.#runDry(view);
      const end = found.mark === restart ? this.#restart(view, found.index) : this.#close(view, found);
      if (end) return end;
      this.#cursor = view.base + found.index + 1;
    }
  }

  #close(view: TextView, { index, mark }: Found): Advance | undefined {
    const at = view.base + index;
    if (this.#counts(view, index)) return this.#done(at, mark.length);
    this.#doubtful ??= { at, end: at + mark.length };
    return undefined;
  }

  /** The next call begins: this one ended at a mark that seemed to be in a string, or never. */
  #restart(view: TextView, index: number): Advance | undefined {
    if (this.#doubtful) return this.#endDoubtful();
    if (!this.#counts(view, index)) return undefined;
    this.#stop = view.base + index;
    this.#end = this.#stop;
    return { done: true, at: this.#end, isLoose: true };
  }

  read(text: string): Reading {
    const { spec } = this;
    const body = text.slice(spec.bodyAt - spec.start, this.#stop - spec.start);
    const reading = spec.readBody(body, this.#isClosed);
    if (!reading || reading.drafts.length === 0) return this.#rejection();
    const end = this.#isClosed ? this.#end : spec.bodyAt + reading.length;
    const drafts = this.#isClosed
      ? reading.drafts
      : reading.drafts.map((one) => ({ ...one, unclosed: true }));
    return { kind: 'calls', format: spec.format, drafts, end };
  }

  #rejection(): Reading {
    const { spec } = this;
    const resume = this.#isClosed ? this.#end : spec.bodyAt;
    if (spec.tentative) return { kind: 'text', resume };
    const message = 'The block opens like a call, but no call can be read from it.';
    return { kind: 'text', resume, note: { code: 'call-unreadable', message } };
  }

  #counts(view: TextView, index: number): boolean {
    const { tracker } = this.spec;
    if (!tracker) return true;
    tracker.walk(view.text, this.#tracked - view.base, index);
    this.#tracked = view.base + index;
    return !tracker.inString;
  }

  #runDry(view: TextView): Advance {
    if (view.final) {
      if (this.#doubtful) return this.#endDoubtful();
      this.#stop = view.end;
      this.#end = view.end;
      return { done: true, at: view.end };
    }
    const longest = Math.max(this.spec.restart.length, ...this.spec.close.map((mark) => mark.length));
    this.#cursor = Math.max(this.#cursor, view.end - longest + 1);
    this.#counts(view, this.#cursor - view.base);
    return { done: false, at: this.#cursor };
  }

  #endDoubtful(): Advance {
    const { at, end } = this.#doubtful ?? { at: this.#cursor, end: this.#cursor };
    return { ...this.#done(at, end - at), isLoose: true };
  }

  #done(at: number, length: number): Advance {
    this.#stop = at;
    this.#end = at + length;
    this.#isClosed = true;
    return { done: true, at: this.#end };
  }
}

interface Found {
  readonly index: number;
  readonly mark: string;
}

function nearest(view: TextView, from: number, marks: readonly string[]): Found | undefined {
  let best: Found | undefined;
  for (const mark of marks) {
    const index = view.find(mark, from);
    if (index >= 0 && (!best || index < best.index)) best = { index, mark };
  }
  return best;
}
