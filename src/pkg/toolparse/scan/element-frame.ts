import type { ElementFormats } from '../formats/element-opener.js';
import type { ToolSpec } from '../types.js';
import type { Draft } from './draft.js';
import type { Advance, Frame, Reading } from './frame.js';
import { isOfPage } from './page-tag.js';
import { escapePattern } from './template.js';
import type { TextView } from './text-view.js';

export interface ElementSpec {
  readonly formats: ElementFormats;
  readonly tool: ToolSpec;
  readonly start: number;
  readonly bodyAt: number;
  readonly attributes: string;
  readonly isSelfClosed: boolean;
  /** Whether it begins its line: in the middle of one, a tag with text inside is only spoken of. */
  readonly startsLine: boolean;
  /** `tag`: `<f>…</f>`; `torn`: `<f …/>` over several lines; `line`: the name alone on a line, with tags below. */
  readonly form: 'tag' | 'torn' | 'line';
}

const MAX_CLOSE_BLANKS = 16;
/** So much of the content shows what it is. */
const MAX_HEAD = 400;
const YAML_START = /^(?:[ \t]*\r?\n)*[ \t]*(?:["']?[A-Za-z_][\w .-]{0,64}["']?:(?:\s|$)|- )/;

/** A tag that is named after a declared tool, with all that is inside it. */
export class ElementFrame implements Frame {
  readonly tentative = true;
  readonly declaredOnly = true;
  readonly #close: RegExp;
  #cursor: number;
  #stop = -1;
  #end = -1;
  #isClosed = false;

  constructor(readonly spec: ElementSpec) {
    this.#cursor = spec.bodyAt;
    const name = escapePattern(spec.tool.name);
    const own = `<\\/\\s{0,${MAX_CLOSE_BLANKS}}${name}\\s{0,${MAX_CLOSE_BLANKS}}>`;
    // Without an opening tag, a line that is no tag ends it.
    const line = spec.form === 'line' ? '|\\n(?=[ \\t]{0,64}[^<\\s])' : '';
    this.#close = new RegExp(own + (spec.form === 'torn' ? '|\\n\\s{0,64}\\/>' : line), 'g');
  }

  get format(): string {
    return this.spec.formats.tags ?? this.spec.formats.yaml ?? 'morph_xml';
  }
  get start(): number {
    return this.spec.start;
  }

  advance(view: TextView): Advance {
    if (this.spec.isSelfClosed) return this.#done(this.#cursor, this.#cursor);
    const { index, length } = view.search(this.#close, this.#cursor - view.base);
    if (index >= 0) {
      const at = view.base + index;
      const isLine = length === 1;
      return this.#done(at, isLine ? at : at + length);
    }
    if (view.final) return this.#unclosed(view);
    const held = this.spec.tool.name.length + 2 * MAX_CLOSE_BLANKS + 80;
    this.#cursor = Math.max(this.#cursor, view.end - held);
    return { done: false, at: this.#cursor };
  }

  /** The rest of the response is its content, if that begins as parameters do; else there is no call to read. */
  #unclosed(view: TextView): Advance {
    const { bodyAt, formats } = this.spec;
    const from = bodyAt - view.base;
    const head = view.text.slice(from, from + MAX_HEAD);
    const kind = kindOf(head);
    // What lies before the view is put together for `read`, which decides by the same signs.
    const isUnknown = from < 0 || head.trim() === '';
    const isContent = isUnknown || (formats[kind] !== undefined && holdsParameters(head, kind));
    this.#stop = isContent ? view.end : bodyAt;
    this.#end = this.#stop;
    return { done: true, at: this.#stop };
  }

  read(text: string): Reading {
    const { spec } = this;
    const content = text.slice(spec.bodyAt - spec.start, this.#stop - spec.start);
    const kind = spec.isSelfClosed && content === '' ? this.#attributeKind() : kindOf(content);
    const format = spec.formats[kind] ?? (content.trim() === '' ? this.format : undefined);
    if (format === undefined || !this.#isMeant(content, kind)) return { kind: 'text', resume: spec.bodyAt };
    const draft: Draft = {
      name: spec.tool.name,
      arguments: { kind: 'element', content: kind, text: content, attributes: spec.attributes },
      complete: this.#isClosed,
      fixes: [],
    };
    return { kind: 'calls', format, drafts: [draft], end: this.#end };
  }

  /** Whether what is inside makes it a call: parameters do, words only in a tag that stands apart and is closed. */
  #isMeant(content: string, kind: 'tags' | 'yaml'): boolean {
    if (isOfPage({ ...this.spec, content })) return false;
    if (holdsParameters(content, kind)) return true;
    return this.#isClosed && (content.trim() === '' || this.spec.startsLine);
  }

  #attributeKind(): 'tags' | 'yaml' {
    return YAML_START.test(this.spec.attributes) ? 'yaml' : 'tags';
  }

  #done(stop: number, end: number): Advance {
    this.#stop = stop;
    this.#end = end;
    this.#isClosed = true;
    return { done: true, at: end };
  }
}

function kindOf(content: string): 'tags' | 'yaml' {
  return YAML_START.test(content.slice(0, MAX_HEAD)) ? 'yaml' : 'tags';
}

function holdsParameters(content: string, kind: 'tags' | 'yaml'): boolean {
  return kind === 'yaml' || /^\s*(?:<[A-Za-z0-9_!?]|\{)/.test(content);
}
