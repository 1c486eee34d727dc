import type { Advance, Frame, Reading } from './frame.js';
import { type MarkMatch, matchMark, skipBlanks } from './match-mark.js';
import { readTagBlock, type TagCall } from './tag-reading.js';
import type { Filled, Template } from './template.js';
import type { TextView } from './text-view.js';

/** The marks of a format whose parameters are tags. */
export interface TagGrammar {
  readonly open: readonly Template[];
  readonly close: Template;
  readonly wrapper?: { readonly open: Template; readonly close: Template } | undefined;
  readonly parameter: { readonly open: Template; readonly close: Template };
}

export interface TagSpec {
  readonly format: string;
  readonly start: number;
  /** Where the first call's opening mark begins: behind the wrapper, if there is one. */
  readonly callAt: number;
  readonly isWrapped: boolean;
  readonly declaredOnly: boolean;
  readonly grammar: TagGrammar;
}

/** Between a closing tag and what follows it; the text is held back that long. */
const MAX_BLANKS = 256;

type Phase = 'calls' | 'parameters' | 'value' | 'json';
/** A step that went on, a step that wants more text, or no step at all: the text does not fit. */
type Step = Advance | 'on' | 'wait' | 'misfit';

/** Calls written as tags with a tag for each parameter, whose raw text may hold anything but its own closing tag. */
export class TagFrame implements Frame {
  readonly tentative = false;
  readonly calls: TagCall[] = [];
  #phase: Phase = 'calls';
  #cursor: number;
  #valueClose = '';
  #filled: Filled = {};
  #key = '';
  #valueFrom = 0;
  #end = 0;
  #isWrapperClosed = false;

  constructor(readonly spec: TagSpec) {
    this.#cursor = spec.callAt;
  }

  get format(): string {
    return this.spec.format;
  }
  get start(): number {
    return this.spec.start;
  }
  get declaredOnly(): boolean {
    return this.spec.declaredOnly;
  }

  advance(view: TextView): Advance {
    for (;;) {
      const step = this.#step(view);
      if (step === 'wait') return view.final ? this.#cut(view) : { done: false, at: this.#cursor };
      if (step === 'misfit') return this.#stop();
      if (step !== 'on') return step;
    }
  }

  read(text: string): Reading {
    return readTagBlock(text, {
      spec: this.spec,
      calls: this.calls,
      end: this.#end,
      isUnclosed: this.spec.isWrapped && !this.#isWrapperClosed,
    });
  }

  #step(view: TextView): Step {
    if (this.#phase === 'value' || this.#phase === 'json') return this.#value(view);
    return this.#phase === 'calls' ? this.#nextCall(view) : this.#nextParameter(view);
  }

  #nextCall(view: TextView): Step {
    if (this.calls.length > 0 && !this.spec.isWrapped) return this.#done(this.#lastEnd());
    const { wrapper, open } = this.spec.grammar;
    const marks = this.calls.length > 0 && wrapper ? [wrapper.close, ...open] : open;
    const match = this.#match(marks, view);
    if (typeof match === 'string') return match;
    if (match.template === wrapper?.close) {
      this.#isWrapperClosed = true;
      return this.#done(view.base + match.end);
    }
    const at = view.base + match.end;
    this.calls.push({
      name: match.filled.name ?? '',
      parameters: [],
      isClosed: false,
      isComplete: false,
      end: at,
    });
    this.#filled = match.filled;
    this.#phase = 'parameters';
    this.#cursor = at;
    return match.template.source.endsWith('/>') ? this.#endCall(at, true) : 'on';
  }

  #nextParameter(view: TextView): Step {
    const { close, parameter, wrapper, open } = this.spec.grammar;
    this.#cursor = view.base + skipBlanks(view.text, this.#cursor - view.base);
    if (view.text[this.#cursor - view.base] === '{' && this.#call().parameters.length === 0) {
      return this.#openValue('json', { at: this.#cursor, key: '', close: this.#closeText() });
    }
    const ends = wrapper ? [close, wrapper.close, ...open] : [close];
    const match = this.#match([...ends, parameter.open], view);
    if (typeof match === 'string') return match;
    const at = view.base + match.end;
    if (match.template === parameter.open) {
      return this.#openValue('value', {
        at,
        key: match.filled.key ?? '',
        close: parameter.close.fill(match.filled),
      });
    }
    return match.template === close ? this.#endCall(at, true) : this.#endCall(this.#call().end, false);
  }

  #openValue(
    phase: Phase,
    value: { readonly at: number; readonly key: string; readonly close: string },
  ): Step {
    this.#phase = phase;
    this.#key = value.key;
    this.#valueClose = value.close;
    this.#valueFrom = value.at;
    this.#cursor = value.at;
    return 'on';
  }

  /** A JSON body ends at the call's closing mark. */
  #closeText(): string {
    return this.spec.grammar.close.fill(this.#filled);
  }

  /** Ends at the first closing tag that is followed by what may follow it; one inside a text is followed by text. */
  #value(view: TextView): Step {
    let from = this.#cursor - view.base;
    for (;;) {
      const close = view.find(this.#valueClose, from);
      if (close < 0) {
        this.#cursor = Math.max(this.#cursor, view.end - this.#valueClose.length + 1);
        return 'wait';
      }
      this.#cursor = view.base + close;
      const follows = this.#phase === 'json' ? 'on' : this.#follows(view, close + this.#valueClose.length);
      if (follows === 'wait' && !view.final) return 'wait';
      if (follows !== 'misfit') return this.#endValue(view.base + close);
      from = close + 1;
    }
  }

  #follows(view: TextView, at: number): 'on' | 'wait' | 'misfit' {
    const { close, parameter, wrapper, open } = this.spec.grammar;
    const marks = [close, parameter.open, ...open, ...(wrapper ? [wrapper.close] : [])];
    const match = matchMark(marks, view, skipBlanks(view.text, at, MAX_BLANKS));
    return typeof match === 'string' ? match : 'on';
  }

  #endValue(at: number): Step {
    this.#call().parameters.push({ key: this.#key, from: this.#valueFrom, to: at });
    const end = this.#phase === 'json' ? at : at + this.#valueClose.length;
    this.#phase = 'parameters';
    this.#cursor = end;
    this.#call().end = end;
    return 'on';
  }

  #endCall(at: number, isClosed: boolean): Step {
    const call = this.#call();
    call.isClosed = isClosed;
    call.isComplete = true;
    call.end = at;
    this.#phase = 'calls';
    // Never back: blanks behind an unclosed call are consumed already.
    this.#cursor = Math.max(this.#cursor, at);
    return 'on';
  }

  /** The response ended inside the block. */
  #cut(view: TextView): Advance {
    const call = this.calls.at(-1);
    if (this.#phase === 'value' || this.#phase === 'json') {
      call?.parameters.push({ key: this.#key, from: this.#valueFrom, to: view.end, isCut: true });
    }
    if (!call) return this.#done(this.spec.callAt);
    if (this.#phase !== 'calls') return this.#done(view.end);
    const rest = view.text.slice(this.#cursor - view.base);
    return this.#done(rest.length < 2 ? this.#lastEnd() : view.end);
  }

  /** Something that has no place in a call: it ends behind the last thing that has. */
  #stop(): Advance {
    const call = this.calls.at(-1);
    if (call && this.#phase === 'parameters' && call.parameters.length === 0) this.calls.pop();
    return this.#done(this.#lastEnd());
  }

  #match(marks: readonly Template[], view: TextView): MarkMatch | 'wait' | 'misfit' {
    this.#cursor = view.base + skipBlanks(view.text, this.#cursor - view.base);
    return matchMark(marks, view, this.#cursor - view.base);
  }

  #call(): TagCall {
    const call = this.calls.at(-1);
    if (!call) throw new TypeError('a parameter without a call');
    return call;
  }

  #lastEnd(): number {
    return this.calls.at(-1)?.end ?? this.spec.callAt;
  }

  #done(at: number): Advance {
    this.#end = at;
    return { done: true, at };
  }
}
