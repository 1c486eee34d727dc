import type { Draft } from './draft.js';
import type { Advance, Frame, Reading } from './frame.js';
import type { TextView } from './text-view.js';

export interface PlainSpec {
  readonly format: string;
  readonly start: number;
  readonly valueAt: number;
  readonly name: string;
  /** Whether the tool can be called without any input, and whether it can be called with one. */
  readonly mayBeEmpty: boolean;
  readonly takesInput: boolean;
}

/** What ends the input: an empty line, or the next label of the dialogue. */
const STOP =
  /\r?\n[ \t]{0,16}(?:\r?\n|(?:\*\*)?(?:(?:Observation|Thought|Action|Action Input|Final Answer)[ \d]{0,4}:))/g;
/** The longest text that fits it. */
const MAX_STOP = 48;

/** Plain text that a mark has made the input of a tool, up to the end of its paragraph. */
export class PlainFrame implements Frame {
  readonly tentative = true;
  readonly declaredOnly = true;
  #cursor: number;
  #isLabelled = false;
  #isAtEnd = false;

  constructor(readonly spec: PlainSpec) {
    this.#cursor = spec.valueAt;
  }

  get format(): string {
    return this.spec.format;
  }
  get start(): number {
    return this.spec.start;
  }

  advance(view: TextView): Advance {
    STOP.lastIndex = this.#cursor - view.base;
    const stop = STOP.exec(view.text);
    if (stop) {
      this.#cursor = view.base + stop.index;
      this.#isLabelled = stop[0].endsWith(':');
      return { done: true, at: this.#cursor };
    }
    this.#cursor = view.final ? view.end : Math.max(this.#cursor, view.end - MAX_STOP);
    this.#isAtEnd = view.final;
    return { done: view.final, at: this.#cursor };
  }

  read(text: string): Reading {
    const { format, start, valueAt, name, mayBeEmpty, takesInput } = this.spec;
    const value = text.slice(valueAt - start, this.#cursor - start).trim();
    const isInput = value === '' ? mayBeEmpty : !/^(?:[[{]|```)/.test(value);
    if (!isInput) return { kind: 'text', resume: this.#cursor };
    const draft: Draft = {
      name,
      arguments: { kind: 'plain', text: unquote(value), isOpen: value.includes('\n') && !this.#isLabelled },
      // Where the text ends behind the label, the input may just not have been written yet.
      complete: value !== '' || !(this.#isAtEnd && takesInput),
      fixes: [],
    };
    return { kind: 'calls', format, drafts: [draft], end: this.#cursor };
  }
}

function unquote(text: string): string {
  return text.length > 1 && /^(["'`]).*\1$/.test(text) ? text.slice(1, -1) : text;
}
