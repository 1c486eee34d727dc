import type { Advance, Reading } from './frame.js';
import { matchMark, skipBlanks } from './match-mark.js';
import { closesOf } from './quote-kinds.js';
import { type FrameSpec, SpecFrame } from './spec-frame.js';
import type { TagGrammar, TagParameterMarks } from './tag-grammar.js';
import { readTagCall, type TagCall } from './tag-reading.js';
import { TagValue, type ValueOwner } from './tag-value.js';
import type { Filled, Template } from './template.js';
import type { TextView } from './text-view.js';

export interface TagSpec extends FrameSpec {
  /** Behind the opening mark. */
  readonly bodyAt: number;
  readonly name: string;
  readonly id?: string | undefined;
  /** The opening mark. */
  readonly mark: Template;
  readonly filled: Filled;
  readonly isSelfClosed: boolean;
  readonly grammar: TagGrammar;
}

/** So much of a parameter's mark at the end of the text shows that the call was going on. */
const MIN_TORN = 4;

/** A step that went on, a step that wants more text, or no step at all: the text does not fit. */
type Step = Advance | 'on' | 'wait' | 'misfit';

/** One call written as a tag with a tag for each parameter, whose raw text may hold anything but its own closing tag. */
export class TagFrame extends SpecFrame<TagSpec> {
  readonly #call: TagCall = { parameters: [], isClosed: false, isComplete: false };
  readonly #owner: ValueOwner;
  #cursor: number;
  #lastEnd: number;
  #value: TagValue | undefined;
  #key = '';
  #type: string | undefined;
  #jsonFrom = -1;

  constructor(spec: TagSpec) {
    super(spec);
    const { grammar, mark, filled } = spec;
    this.#owner = { grammar, close: closesOf(mark, grammar.close), prefix: filled.ns ?? '' };
    this.#cursor = spec.bodyAt;
    this.#lastEnd = spec.bodyAt;
  }

  advance(view: TextView): Advance {
    if (this.spec.isSelfClosed) return this.#close(this.#cursor, true);
    for (;;) {
      const step = this.#step(view);
      if (step === 'wait')
        return view.final ? this.#cut(view) : { done: false, at: this.#value?.heldFrom ?? this.#cursor };
      if (step === 'misfit') return { done: true, at: this.#lastEnd };
      if (step !== 'on') return step;
    }
  }

  read(text: string): Reading {
    return readTagCall(text, { spec: this.spec, call: this.#call, end: this.#lastEnd });
  }

  #step(view: TextView): Step {
    if (this.#value) return this.#readValue(view, this.#value);
    return this.#jsonFrom >= 0 ? this.#readJson(view) : this.#nextParameter(view);
  }

  #nextParameter(view: TextView): Step {
    const { close, parameters, ends, skip } = this.spec.grammar;
    this.#cursor = view.base + skipBlanks(view.text, this.#cursor - view.base);
    const at = this.#cursor - view.base;
    if (view.text[at] === '{' && this.#call.parameters.length === 0) {
      this.#jsonFrom = this.#cursor;
      return 'on';
    }
    const match = matchMark([...close, ...parameters.map(({ open }) => open), ...skip, ...ends], view, at);
    if (typeof match === 'string') return match;
    const marks = parameters.find(({ open }) => open === match.template);
    if (marks) return this.#openValue(view.base + match.end, match.filled, marks);
    if (skip.includes(match.template)) {
      this.#cursor = view.base + match.end;
      return 'on';
    }
    return close.includes(match.template)
      ? this.#close(view.base + match.end, true)
      : this.#close(this.#lastEnd, false);
  }

  #openValue(at: number, filled: Filled, marks: TagParameterMarks): Step {
    this.#key = (filled.key ?? filled.name ?? '').trimEnd();
    this.#type = filled.type;
    this.#value = new TagValue(this.#owner, at, marks, filled);
    this.#cursor = at;
    return 'on';
  }

  #readValue(view: TextView, value: TagValue): Step {
    const end = value.find(view);
    if (!end) return 'wait';
    this.#push(value.from, end.at, !end.isClosed);
    this.#call.hasStrayText ||= end.next !== undefined;
    this.#call.isAmbiguous ||= end.isAmbiguous || (value.isQuoting && !end.isClosed);
    this.#value = undefined;
    this.#cursor = end.next ?? (end.isClosed ? end.at + value.close.length : end.at);
    this.#lastEnd = this.#cursor;
    return end.isLast ? { done: true, at: this.#lastEnd, isLoose: true } : 'on';
  }

  /** A JSON body ends at the call's closing mark. */
  #readJson(view: TextView): Step {
    const close = this.spec.grammar.close[0]?.fill(this.spec.filled) ?? '';
    const index = view.find(close, this.#cursor - view.base);
    if (index < 0) {
      this.#cursor = Math.max(this.#cursor, view.end - close.length + 1);
      return 'wait';
    }
    this.#call.json = { from: this.#jsonFrom, to: view.base + index };
    return this.#close(view.base + index + close.length, true);
  }

  #push(from: number, to: number, isUnclosed: boolean): void {
    this.#call.parameters.push({ key: this.#key, type: this.#type, from, to, isUnclosed });
  }

  #close(at: number, isClosed: boolean): Advance {
    this.#call.isClosed = isClosed;
    this.#call.isComplete = true;
    this.#lastEnd = at;
    return { done: true, at };
  }

  /** The response ended inside the call. */
  #cut(view: TextView): Advance {
    if (this.#value) this.#push(this.#value.from, view.end, true);
    if (this.#jsonFrom >= 0) this.#call.json = { from: this.#jsonFrom, to: view.end };
    const isOpen = this.#value !== undefined || this.#jsonFrom >= 0;
    const rest = view.end - this.#cursor;
    this.#call.isCut = rest >= MIN_TORN;
    this.#lastEnd = isOpen || rest >= 2 ? view.end : this.#lastEnd;
    return { done: true, at: this.#lastEnd };
  }
}
