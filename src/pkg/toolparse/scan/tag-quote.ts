import { matchMark, skipBlanks } from './match-mark.js';
import type { Filled, Template } from './template.js';
import type { TextView } from './text-view.js';

/** Between an opening tag and what shows that it opens something. */
const MAX_BLANKS = 256;
/** The longest leading part of a mark that is searched for, with its prefix. */
export const MAX_LEAD = 96;

/** A kind of block that a value may quote, by the marks around it. */
export interface QuoteKind {
  readonly open: readonly Template[];
  readonly close: readonly Template[];
  /** What follows the opening mark, or the tag is only mentioned. */
  readonly inside: readonly Template[];
}

/** Whether a mark has the prefix that is wanted, or has no place for one. */
export function hasPrefix({ ns = '' }: Filled, template: Template, prefix: string): boolean {
  return !template.has('ns') || ns === prefix;
}

/** A call that is written inside a value: up to its own end, all of it is the value's. */
export class TagQuote {
  readonly #marks: RegExp;
  #depth = 1;
  #cursor: number;

  constructor(
    readonly kind: QuoteKind,
    readonly prefix: string,
    from: number,
    readonly isInSection: boolean,
  ) {
    this.#cursor = from + 1;
    const leads = [...kind.open, ...kind.close].map((mark) => mark.leadingPattern);
    this.#marks = new RegExp([...new Set(leads), ...(isInSection ? ['\\]\\]>'] : [])].join('|'), 'g');
  }

  get heldFrom(): number {
    return this.#cursor;
  }

  /** Where it ends; undefined when more text is wanted, or the response ends first. */
  find(view: TextView): number | undefined {
    for (;;) {
      this.#marks.lastIndex = this.#cursor - view.base;
      const index = this.#marks.exec(view.text)?.index;
      if (index === undefined) {
        this.#cursor = Math.max(this.#cursor, view.end - MAX_LEAD);
        return undefined;
      }
      this.#cursor = view.base + index;
      const end = this.#closesAt(view, index);
      if (end === 'wait') return undefined;
      if (end !== undefined) return view.base + end;
      this.#cursor += 1;
    }
  }

  #closesAt(view: TextView, index: number): number | 'wait' | undefined {
    const { kind, prefix } = this;
    // The section that it stands in ends first: what opened was only mentioned.
    if (this.isInSection && view.text.startsWith(']]>', index)) return index;
    const close = matchMark(kind.close, view, index);
    if (close === 'wait') return 'wait';
    if (close !== 'misfit') {
      if (hasPrefix(close.filled, close.template, prefix)) this.#depth -= 1;
      return this.#depth === 0 ? close.end : undefined;
    }
    const opens = openingAt(kind, prefix, view, index);
    if (opens === 'call') this.#depth += 1;
    return opens === 'wait' ? 'wait' : undefined;
  }
}

/** Whether a call opens here, or its tag is only mentioned. */
export function openingAt(
  kind: QuoteKind,
  prefix: string,
  view: TextView,
  index: number,
): 'call' | 'mention' | 'wait' | undefined {
  const match = matchMark(kind.open, view, index);
  if (typeof match === 'string') return match === 'wait' && !view.final ? 'wait' : undefined;
  if (!hasPrefix(match.filled, match.template, prefix) || !endsName(match.filled.any)) return undefined;
  const leads = leadsOn(kind, view, skipBlanks(view.text, match.end, MAX_BLANKS));
  if (leads === 'wait' && !view.final) return 'wait';
  return leads === true ? 'call' : 'mention';
}

function leadsOn({ inside }: QuoteKind, view: TextView, at: number): boolean | 'wait' {
  if (at >= view.text.length) return 'wait';
  const match = matchMark(inside, view, at);
  return match === 'wait' ? 'wait' : match !== 'misfit';
}

/** Whether the tag's name ended where its attributes begin: `<tool_calls>` is no `<tool_call>`. */
function endsName(attributes = ''): boolean {
  return /^(?:$|[\s=/])/.test(attributes);
}
