import { CodeWalker } from '../code/code-walker.js';
import type { Advance, Reading } from './frame.js';
import type { BodyReading } from './marked-frame.js';
import { type FrameSpec, SpecFrame } from './spec-frame.js';
import type { TextView } from './text-view.js';

export interface BracketSpec extends FrameSpec {
  /** At the first bracket, or before the name that it follows. */
  readonly bodyAt: number;
  readBody(body: string, isClosed: boolean): BodyReading | undefined;
  /** Whether what follows shows that this is no call; undefined as long as more of it must be seen. */
  isSpokenOf?(rest: string): boolean | undefined;
}

/** So much of what follows is looked at. */
const MAX_REST = 80;
/** Deeper than any call: brackets that only open would otherwise be followed to the end, from each of them anew. */
const MAX_DEPTH = 64;

/** Code that nothing closes but its last bracket. */
export class BracketFrame extends SpecFrame<BracketSpec> {
  readonly #walker = new CodeWalker();
  #cursor: number;
  #isOpen = false;
  #isOver = false;
  #isSpokenOf = false;

  constructor(spec: BracketSpec) {
    super(spec);
    this.#cursor = spec.bodyAt;
  }

  advance(view: TextView): Advance {
    if (!this.#isOver) this.#walk(view);
    if (!this.#isOver) return { done: view.final, at: this.#cursor };
    const from = this.#cursor - view.base;
    const rest = view.text.slice(from, from + MAX_REST);
    const isSpokenOf = this.spec.isSpokenOf ? this.spec.isSpokenOf(rest) : false;
    if (isSpokenOf === undefined && !view.final) return { done: false, at: this.#cursor };
    this.#isSpokenOf = isSpokenOf === true;
    return { done: true, at: this.#cursor };
  }

  /** Follows the brackets to the last one that closes. */
  #walk(view: TextView): void {
    const { text, base } = view;
    for (let index = this.#cursor - base; index < text.length; index += 1) {
      this.#walker.step(text.charCodeAt(index));
      this.#isOpen ||= this.#walker.depth > 0;
      const isOver = this.#isOpen && this.#walker.depth <= 0 && !this.#walker.inString;
      if (isOver || this.#walker.depth > MAX_DEPTH) {
        this.#isOver = true;
        this.#cursor = base + index + 1;
        return;
      }
    }
    this.#cursor = view.end;
  }

  read(text: string): Reading {
    const { spec } = this;
    if (this.#isSpokenOf) return { kind: 'text', resume: spec.bodyAt + 1 };
    const isClosed = this.#isOpen && this.#walker.depth <= 0;
    const reading = spec.readBody(text.slice(spec.bodyAt - spec.start, this.#cursor - spec.start), isClosed);
    if (!reading || reading.drafts.length === 0) return { kind: 'text', resume: spec.bodyAt + 1 };
    return { kind: 'calls', format: spec.format, drafts: reading.drafts, end: spec.bodyAt + reading.length };
  }
}
