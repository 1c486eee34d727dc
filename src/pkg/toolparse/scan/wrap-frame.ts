import type { Opening } from '../formats/opener.js';
import { isBlankCode } from '../json/json-walker.js';
import type { Draft } from './draft.js';
import type { Advance, Frame, Reading } from './frame.js';
import { matchMark } from './match-mark.js';
import type { Template } from './template.js';
import type { TextView } from './text-view.js';

export interface WrapSpec {
  readonly format: string;
  readonly start: number;
  readonly first: Frame;
  readonly close: readonly Template[];
  open(view: TextView, index: number): Opening;
}

interface Child {
  readonly frame: Frame;
  readonly end: number;
}

/** Tags around calls: what is inside are frames of its own, one after the other. */
export class WrapFrame implements Frame {
  readonly tentative = false;
  readonly #children: Child[] = [];
  #child: Frame | undefined;
  #cursor: number;
  #isClosed = false;
  #end = -1;

  constructor(readonly spec: WrapSpec) {
    this.#child = spec.first;
    this.#cursor = spec.first.start;
  }

  get format(): string {
    return this.spec.first.format;
  }
  get start(): number {
    return this.spec.start;
  }
  get declaredOnly(): boolean {
    return this.spec.first.declaredOnly;
  }

  advance(view: TextView): Advance {
    for (;;) {
      const step = this.#child ? this.#inside(view, this.#child) : this.#between(view);
      if (step) return step;
    }
  }

  read(text: string): Reading {
    const drafts: Draft[] = [];
    const { start } = this.spec;
    for (const { frame, end } of this.#children) {
      const reading = frame.read(text.slice(frame.start - start, end - start));
      const before = frame === this.spec.first ? undefined : frame.start;
      if (reading.kind === 'text') return before === undefined ? reading : this.#calls(drafts, before);
      drafts.push(...reading.drafts);
      // What a child gives back of its text is scanned again, and what follows it too.
      if (reading.end !== end) return this.#calls(drafts, reading.end);
    }
    return this.#calls(drafts, this.#end);
  }

  #calls(drafts: readonly Draft[], end: number): Reading {
    const isClosed = this.#isClosed && end === this.#end;
    const last = drafts.length - 1;
    const marked = isClosed
      ? drafts
      : drafts.map((draft, index) => (index === last ? { ...draft, unclosed: true } : draft));
    return { kind: 'calls', format: this.format, drafts: marked, end };
  }

  #inside(view: TextView, child: Frame): Advance | undefined {
    const step = child.advance(view);
    if (!step.done) return step;
    this.#children.push({ frame: child, end: step.at });
    this.#child = undefined;
    if (step.isLoose) return this.#done(step.at);
    // A child may end before blanks that it has consumed already.
    this.#cursor = Math.max(step.at, view.base);
    return undefined;
  }

  #between(view: TextView): Advance | undefined {
    const index = skipGap(view.text, this.#cursor - view.base);
    this.#cursor = view.base + index;
    if (index >= view.text.length) return this.#wait(view);
    const match = matchMark(this.spec.close, view, index);
    if (typeof match === 'object') {
      this.#isClosed = true;
      return this.#done(view.base + match.end);
    }
    if (match === 'wait') return this.#wait(view);
    const opening = this.spec.open(view, index);
    if (opening === 'partial') return this.#wait(view);
    if (!opening) return this.#done(this.#lastEnd());
    this.#child = opening;
    return undefined;
  }

  #wait(view: TextView): Advance {
    if (!view.final) return { done: false, at: this.#cursor };
    // A closing mark that was cut off is still no text, if there is enough of it to know it by.
    return this.#done(view.end - this.#cursor >= 2 ? view.end : this.#lastEnd());
  }

  #lastEnd(): number {
    return this.#children.at(-1)?.end ?? this.spec.first.start;
  }

  #done(at: number): Advance {
    this.#end = at;
    return { done: true, at };
  }
}

/** Between calls stand blanks, and a comma or semicolon now and then. */
function skipGap(text: string, from: number): number {
  let index = from;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (!isBlankCode(code) && code !== 0x2c && code !== 0x3b) return index;
    index += 1;
  }
  return index;
}
