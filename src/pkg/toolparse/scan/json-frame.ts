import { isBlankCode, JsonWalker } from '../json/json-walker.js';
import { tryParse } from '../json/own.js';
import type { Json } from '../types.js';
import type { Advance, Reading } from './frame.js';
import type { JsonBlock, JsonSpec, Span } from './json-block.js';
import { readJsonBlock } from './json-reading.js';
import { SpecFrame } from './spec-frame.js';
import { couldBe, type TextView } from './text-view.js';

const MAX_JUNK = 64;

type Phase = 'start' | 'value' | 'after' | 'broken';

/** One or more JSON values after an opening mark, up to the closing mark if the format has one. */
export class JsonFrame extends SpecFrame<JsonSpec> {
  readonly #values: Span[] = [];
  #walker = new JsonWalker();
  #phase: Phase = 'start';
  #cursor: number;
  #valueStart: number;
  #separated = false;
  #parsed: Json | undefined;
  #ending: JsonBlock['ending'] = 'loose';
  #brokenAt = -1;
  #hasSurplus = false;
  #stop = -1;
  #end = -1;

  constructor(spec: JsonSpec) {
    super(spec);
    this.#cursor = spec.valueAt;
    this.#valueStart = spec.valueAt;
  }

  advance(view: TextView): Advance {
    for (;;) {
      const step = this.#step(view);
      if (step) return step;
    }
  }

  read(text: string): Reading {
    return readJsonBlock(text, {
      spec: this.spec,
      values: this.#values,
      parsed: this.#parsed,
      ending: this.#ending,
      unfinishedFrom: this.#valueStart,
      resume: this.#resume(),
      brokenAt: this.#brokenAt,
      hasSurplus: this.#hasSurplus,
      elementEnd: this.#walker.elementEnd,
      stop: this.#stop,
      end: this.#end,
    });
  }

  #step(view: TextView): Advance | undefined {
    if (this.#phase === 'start') return this.#parseAtOnce(view);
    if (this.#phase === 'value') return this.#walk(view);
    return this.#phase === 'after' ? this.#afterValue(view) : this.#searchEnd(view);
  }

  /** The common case, a block that is whole and sound, costs a search and a JSON.parse. */
  #parseAtOnce(view: TextView): Advance | undefined {
    this.#phase = 'value';
    const from = this.#cursor - view.base;
    const mark = this.spec.close;
    const end = mark === undefined ? this.#documentEnd(view) : view.find(mark, from);
    if (end < 0) return undefined;
    this.#parsed = tryParse(view.text.slice(from, end));
    if (this.#parsed === undefined) return undefined;
    return this.#done(view.base + end + (mark?.length ?? 0), 'closed');
  }

  /** A body is the whole response, give or take blanks; when it is there, nothing needs to look for its end. */
  #documentEnd(view: TextView): number {
    return view.final && this.spec.isDocument ? view.text.trimEnd().length : -1;
  }

  #walk(view: TextView): Advance | undefined {
    this.#cursor = view.base + this.#walker.walk(view.text, this.#cursor - view.base, view.base);
    const { status } = this.#walker;
    if (status === 'more')
      return view.final ? this.#done(view.end, 'cut') : { done: false, at: this.#cursor };
    if (status === 'done') {
      this.#values.push({ from: this.#valueStart, to: this.#cursor });
      this.#separated = false;
      this.#phase = 'after';
      return undefined;
    }
    if (this.#values.length > 0) return { ...this.#done(this.#lastEnd(), 'loose'), isLoose: true };
    this.#brokenAt = this.#cursor;
    this.#phase = 'broken';
    return this.spec.tentative && this.spec.close === undefined
      ? this.#done(this.#cursor, 'broken')
      : undefined;
  }

  /** Behind a value: its closing mark, another value, or neither. */
  #afterValue(view: TextView): Advance | undefined {
    const { text, base } = view;
    for (let index = this.#cursor - base; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (isBlankCode(code)) continue;
      this.#cursor = base + index;
      if (this.#isSeparator(code)) this.#separated = true;
      else if (this.#opensValue(code)) return this.#nextValue();
      else return this.#close(view, index);
    }
    this.#cursor = view.end;
    return view.final ? this.#done(this.#lastEnd(), 'end') : { done: false, at: this.#cursor };
  }

  #isSeparator(code: number): boolean {
    return !this.#separated && (code === 0x2c || code === 0x3b);
  }

  #opensValue(code: number): boolean {
    if (code !== 0x7b && code !== 0x5b) return false;
    return this.#separated || (this.spec.close !== undefined && !this.spec.tentative);
  }

  #nextValue(): undefined {
    this.#valueStart = this.#cursor;
    this.#walker = new JsonWalker();
    this.#phase = 'value';
  }

  /** Surplus brackets before the closing mark belong to the block; before anything else they are text. */
  #close(view: TextView, from: number): Advance {
    const mark = this.spec.close;
    if (mark === undefined) return this.#after(view, from);
    const { text, base } = view;
    if (this.#separated)
      return this.#done(this.#lastEnd(), /["']/.test(text[from] ?? '') ? 'ragged' : 'loose');
    const index = skipJunk(text, from, mark.charCodeAt(0));
    this.#hasSurplus = /[}\])]/.test(text.slice(from, index));
    if (text.startsWith(mark, index)) return this.#done(base + index + mark.length, 'closed');
    const mayClose = couldBe(mark, text, index);
    if (mayClose && !view.final) return { done: false, at: base + from };
    // A closing mark that was cut off is still no text, if there is enough of it to know it by.
    const isTorn = mayClose && text.length - index >= 2 && mark.length > 3;
    this.#hasSurplus &&= isTorn;
    return this.#done(isTorn ? view.end : this.#lastEnd(), mayClose ? 'end' : 'loose');
  }

  /** Tokens that end a message are nobody's text. */
  #after(view: TextView, from: number): Advance {
    const tokens = this.spec.after ?? [];
    const token = tokens.find((one) => view.text.startsWith(one, from));
    if (token !== undefined) return this.#done(view.base + from + token.length, 'end');
    const mayCome = tokens.some((one) => couldBe(one, view.text, from));
    return mayCome && !view.final
      ? { done: false, at: view.base + from }
      : this.#done(this.#lastEnd(), 'loose');
  }

  #searchEnd(view: TextView): Advance {
    const { close = '', restart } = this.spec;
    const from = this.#cursor - view.base;
    const closeAt = close === '' ? -1 : view.find(close, from);
    const restartAt = restart === '' ? -1 : view.find(restart, from);
    if (closeAt >= 0 && (restartAt < 0 || closeAt < restartAt)) {
      this.#stop = view.base + closeAt;
      return this.#done(this.#stop + close.length, 'broken');
    }
    if (restartAt >= 0) return { ...this.#done(view.base + restartAt, 'broken'), isLoose: true };
    if (view.final) return this.#done(view.end, 'broken');
    this.#cursor = Math.max(this.#cursor, view.end - Math.max(close.length, restart.length) + 1);
    return { done: false, at: this.#cursor };
  }

  /**
   * Where to look on if this was no JSON: behind the last quote, which may have opened no string but hidden a mark.
   * Nothing before it is read twice, so nested openings cost no more than flat ones.
   */
  #resume(): number {
    if (this.#walker.lastString >= 0) return this.#walker.lastString + 1;
    return this.#brokenAt > this.spec.valueAt ? this.#brokenAt : this.#end;
  }

  #lastEnd(): number {
    return this.#values.at(-1)?.to ?? this.spec.valueAt;
  }

  #done(at: number, ending: JsonBlock['ending']): Advance {
    this.#ending = ending;
    this.#end = at;
    return { done: true, at };
  }
}

/** The index behind brackets and fences; `stop` is what the closing mark begins with. */
function skipJunk(text: string, from: number, stop: number): number {
  const end = Math.min(text.length, from + MAX_JUNK);
  for (let index = from; index < end; index += 1) {
    const code = text.charCodeAt(index);
    if (code === stop || !isClosingJunk(code)) return index;
  }
  return end;
}

/** Brackets too many, and the end of a fence around the JSON. */
function isClosingJunk(code: number): boolean {
  return code === 0x7d || code === 0x5d || code === 0x29 || code === 0x60 || isBlankCode(code);
}
