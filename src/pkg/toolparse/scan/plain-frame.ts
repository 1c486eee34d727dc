import type { Advance, Frame, Reading } from './frame.js';
import type { TextView } from './text-view.js';

export interface PlainSpec {
  readonly format: string;
  readonly start: number;
  readonly valueAt: number;
  readonly name: string;
}

/** Plain text that a mark has made the input of a tool, up to the end of its line. */
export class PlainFrame implements Frame {
  readonly tentative = true;
  readonly declaredOnly = true;
  #cursor: number;
  #end = -1;

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
    const index = view.text.indexOf('\n', this.#cursor - view.base);
    this.#cursor = index < 0 ? view.end : view.base + index;
    if (index < 0 && !view.final) return { done: false, at: this.#cursor };
    this.#end = this.#cursor;
    return { done: true, at: this.#cursor };
  }

  read(text: string): Reading {
    const { format, start, valueAt, name } = this.spec;
    const value = text.slice(valueAt - start, this.#end - start).trim();
    const hasInput = value !== '' && !/^[[{]/.test(value);
    if (!hasInput) return { kind: 'text', resume: this.#end };
    const draft = {
      name,
      arguments: { kind: 'plain', text: unquote(value) },
      complete: true,
      fixes: [],
    } as const;
    return { kind: 'calls', format, drafts: [draft], end: this.#end };
  }
}

function unquote(text: string): string {
  return text.length > 1 && /^(["'`]).*\1$/.test(text) ? text.slice(1, -1) : text;
}
