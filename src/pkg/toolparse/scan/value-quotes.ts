import { openingAt, type QuoteKind, TagQuote } from './tag-quote.js';
import type { Template } from './template.js';
import type { TextView } from './text-view.js';

/** The calls that a value quotes, and the tags of calls that it mentions. */
export class ValueQuotes {
  readonly #kinds: readonly QuoteKind[];
  readonly #prefix: string;
  /** How often a closing mark is the value's own, for its opening mark stands in the value too. */
  readonly #mentioned = new Map<string, number>();
  #quote: TagQuote | undefined;
  /** Whether a call stands inside it. */
  hasCall = false;

  constructor(kinds: readonly QuoteKind[], prefix: string) {
    this.#kinds = kinds;
    this.#prefix = prefix;
  }

  get isOpen(): boolean {
    return this.#quote !== undefined;
  }

  /** Everything before this offset can be let go; undefined outside a quoted call. */
  get heldFrom(): number | undefined {
    return this.#quote?.heldFrom;
  }

  /** What opens here: a call, or its tag alone. */
  at(view: TextView, index: number): QuoteKind | 'mention' | 'wait' | undefined {
    let mentioned: QuoteKind | undefined;
    for (const kind of this.#kinds) {
      const opening = openingAt(kind, this.#prefix, view, index);
      if (opening === 'wait') return 'wait';
      if (opening === 'call') return kind;
      if (opening === 'mention') mentioned ??= kind;
    }
    return mentioned && this.#mention(mentioned);
  }

  enter(kind: QuoteKind, at: number, isInSection: boolean): void {
    this.#quote = new TagQuote(kind, this.#prefix, at, isInSection);
    this.hasCall = true;
  }

  /** Where the quoted call ends; undefined when more text is wanted, or the response ends first. */
  leave(view: TextView): number | undefined {
    const end = this.#quote?.find(view);
    if (end !== undefined) this.#quote = undefined;
    return end;
  }

  /** Whether a closing mark belongs to an opening one that was mentioned; each is asked for once. */
  closes({ source }: Template): boolean {
    const count = this.#mentioned.get(source) ?? 0;
    if (count > 0) this.#mentioned.set(source, count - 1);
    return count > 0;
  }

  #mention({ close }: QuoteKind): 'mention' {
    for (const { source } of close) this.#mentioned.set(source, (this.#mentioned.get(source) ?? 0) + 1);
    return 'mention';
  }
}
